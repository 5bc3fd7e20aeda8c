// A browser as a member of the pool: a key that never leaves it, and a WebSocket to the space.
// What is signed and sent stands in docs/protocol.md.

const ENROLMENT = '/volunteer/enrolment';
const RENEWAL = '/volunteer/renewal';
const SPACE = '/volunteer/space';
const KEY = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
const STORE = 'member';
const MOST_BYTES = 32 * 1024;
const BETWEEN_LOOKS_MILLIS = 10 * 60 * 1000;

const utf8 = (text) => new TextEncoder().encode(text);
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const hex = (buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (text) => hex(await crypto.subtle.digest('SHA-256', utf8(text)));

// What is kept: {keys, serial, name, owner, pool, renewable, ends}; the private key only as a handle.

const database = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open('gleaner-volunteer', 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

const inStore = async (mode, work) => {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORE, mode);
      const asked = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
};

const keep = (member) => inStore('readwrite', (store) => store.put(member, 'own'));

/** What this browser is in the pool, or null. */
export const member = async () =>
  (await inStore('readonly', (store) => store.get('own'))) ?? null;

/** Forgets key and certificate. */
export const forget = () => inStore('readwrite', (store) => store.delete('own'));

// Channels. A channel opens a WebSocket, hears {pool, origin, channel, nonce}, and answers once.

const text = (socket) =>
  new Promise((resolve, reject) => {
    socket.onmessage = (message) => resolve(JSON.parse(message.data));
    socket.onclose = (closed) =>
      reject(new Error(closed.reason || `the node closed the connection (${closed.code})`));
  });

const challenged = async (channel) => {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${channel}`);
  socket.binaryType = 'arraybuffer';
  const { pool, nonce } = await text(socket);
  return { socket, pool, nonce };
};

// Origin and channel are this page's own, never what the other end says.
const proof = async (keys, channel, { pool, nonce }, subject) =>
  base64(
    await crypto.subtle.sign(
      SIGNATURE,
      keys.privateKey,
      utf8(
        `gleaner-browser: 1\npool: ${pool}\norigin: ${location.origin}\nchannel: ${channel}\n` +
          `nonce: ${nonce}\nsubject: ${subject}\n`,
      ),
    ),
  );

// What the node says of this key from now on, once it has shown by a signature over the subject that
// it is here.
const said = async (channel, keys, message, subject) => {
  const asked = await challenged(channel);
  const answer = text(asked.socket);
  asked.socket.send(
    JSON.stringify({ ...message, signature: await proof(keys, channel, asked, subject) }),
  );
  const who = await answer;
  if (who.refused) throw new Error(who.refused);
  const own = { keys, ...who };
  await keep(own);
  return own;
};

const joined = async () => {
  const own = await member();
  if (!own?.serial) throw new Error('this browser has not joined the pool; enrol it first');
  return own;
};

/**
 * Makes this browser a member: by {token}, or by {csrf} as the user who is signed in here. Who lost
 * the answer calls it again: the key stays the same.
 */
export const enrol = async ({ token, csrf }) => {
  const before = await member();
  const keys = before?.keys ?? (await crypto.subtle.generateKey(KEY, false, ['sign', 'verify']));
  await keep({ ...before, keys });
  const key = base64(await crypto.subtle.exportKey('spki', keys.publicKey));
  const message = { key, ...(token ? { token } : { csrf }) };
  return said(ENROLMENT, keys, message, await sha256(token ?? csrf));
};

/**
 * Another certificate for the same key, in the last third of its life, or once the pool has another
 * authority; before that it is refused.
 */
export const renew = async () => {
  const { keys, serial } = await joined();
  return said(RENEWAL, keys, { serial }, serial);
};

// What stands in the way of a renewal does not keep anybody from the space before the end.
const renewedIf = async (own, due) => {
  if (!due) return own;
  try {
    return await renew();
  } catch (e) {
    console.info(`the certificate of this browser was not renewed: ${e.message}`);
    return own;
  }
};

const isOld = ({ renewable }) => Date.now() >= Date.parse(renewable);

/**
 * Opens the space: {send, socket, closed}. `heard` is called with each piece of the stream of frames;
 * `closed` resolves to the close event. Renews the certificate in time, now and while it is open;
 * the node closes at the end of the one that was shown, and the next opening shows the new one.
 */
export const open = async (heard) => {
  const kept = await joined();
  const before = await renewedIf(kept, isOld(kept));
  const asked = await challenged(SPACE);
  const { socket } = asked;
  const looks = setInterval(async () => {
    const now = await member();
    if (now?.serial) await renewedIf(now, isOld(now));
  }, BETWEEN_LOOKS_MILLIS);
  let refused = '';
  const closed = new Promise((resolve) => {
    socket.onclose = ({ code, reason }) => {
      clearInterval(looks);
      resolve({ code, reason: refused || reason });
    };
  });
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') refused = JSON.parse(data).refused;
    else heard(new Uint8Array(data));
  };
  const own = await renewedIf(before, before.pool !== asked.pool);
  socket.send(
    JSON.stringify({
      serial: own.serial,
      signature: await proof(own.keys, SPACE, asked, own.serial),
    }),
  );
  const send = (bytes) => {
    for (let from = 0; from < bytes.length; from += MOST_BYTES) {
      socket.send(bytes.subarray(from, from + MOST_BYTES));
    }
  };
  return { send, socket, closed };
};
