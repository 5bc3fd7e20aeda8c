// A browser as a member of the pool: a key that never leaves it, and a WebSocket to the space.
// What is signed and sent stands in docs/protocol.md.

const ENROLMENT = '/volunteer/enrolment';
const SPACE = '/volunteer/space';
const KEY = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
const STORE = 'member';
const MOST_BYTES = 32 * 1024;

const utf8 = (text) => new TextEncoder().encode(text);
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));
const hex = (buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (text) => hex(await crypto.subtle.digest('SHA-256', utf8(text)));

// What is kept: {keys, serial, name, owner, ends}; the private key only as a handle.

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

/**
 * Makes this browser a member: by {token}, or by {csrf} as the user who is signed in here. Who lost
 * the answer calls it again: the key stays the same.
 */
export const enrol = async ({ token, csrf }) => {
  const before = await member();
  const keys = before?.keys ?? (await crypto.subtle.generateKey(KEY, false, ['sign', 'verify']));
  await keep({ ...before, keys });
  const asked = await challenged(ENROLMENT);
  const answer = text(asked.socket);
  asked.socket.send(
    JSON.stringify({
      key: base64(await crypto.subtle.exportKey('spki', keys.publicKey)),
      ...(token ? { token } : { csrf }),
      signature: await proof(keys, ENROLMENT, asked, await sha256(token ?? csrf)),
    }),
  );
  const said = await answer;
  if (said.refused) throw new Error(said.refused);
  const own = { keys, ...said };
  await keep(own);
  return own;
};

/**
 * Opens the space: {send, socket, closed}. `heard` is called with each piece of the stream of frames;
 * `closed` resolves to the close event.
 */
export const open = async (heard) => {
  const own = await member();
  if (!own?.serial) throw new Error('this browser has not joined the pool; enrol it first');
  const asked = await challenged(SPACE);
  const { socket } = asked;
  let refused = '';
  const closed = new Promise((resolve) => {
    socket.onclose = ({ code, reason }) => resolve({ code, reason: refused || reason });
  });
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') refused = JSON.parse(data).refused;
    else heard(new Uint8Array(data));
  };
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
