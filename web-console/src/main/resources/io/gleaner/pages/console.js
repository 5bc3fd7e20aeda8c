// Keeps an open page up to date from the event stream; every page works without it.
'use strict';

(() => {
  const body = document.body;
  const bagId = body.dataset.bag;
  const english = (least, most) =>
    new Intl.NumberFormat('en', { minimumFractionDigits: least, maximumFractionDigits: most });
  const creditsFormat = english(2, 6);
  const amountFormat = english(2, 2);
  const unitsFormat = english(2, 2);
  const countFormat = english(0, 0);
  const credits = (micros) => creditsFormat.format(micros / 1e6);
  const amount = (micros) =>
    micros > 0 && micros < 10_000 ? '< 0.01' : amountFormat.format(micros / 1e6);
  const units = (micros) => unitsFormat.format(micros / 1e6);
  const count = (number) => countFormat.format(number);

  const seconds = (s) => {
    if (s < 90) return `${s} s`;
    const minutes = Math.round(s / 60);
    return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  };

  const setText = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };
  const setState = (element, state) => {
    if (!element) return;
    setText(element, state.toLowerCase());
    element.dataset.state = state;
  };

  // Bags.

  const showBag = (root, bag) => {
    const field = (name) => root.querySelector(`[data-bag-field="${name}"]`);
    const left = bag.secondsLeft === null ? '' : `about ${seconds(bag.secondsLeft)}`;
    setText(field('name'), bag.name);
    setText(field('owner'), bag.owner);
    setState(field('state'), bag.state);
    setText(field('completed'), count(bag.completed));
    setText(field('tasks'), count(bag.tasks));
    setText(field('spent'), amount(bag.spentMicros));
    setText(field('budget'), amount(bag.budgetMicros));
    setText(field('left'), left && `${left} left`);
    setText(field('left-figure'), left || '–');
    setText(field('failed-count'), count(bag.failed));
    setText(field('note'), bag.note);
    if (bag.ended) setText(field('why'), '');
    const failed = field('failed');
    if (failed) {
      setText(failed, `${count(bag.failed)} failed`);
      failed.dataset.count = bag.failed;
    }
    const progress = field('progress');
    progress.max = Math.max(1, bag.tasks);
    progress.value = bag.completed + bag.failed;
  };

  const bagRow = (list, bag) => {
    const known = list.querySelector(`[data-bag-id="${CSS.escape(bag.id)}"]`);
    if (known) return known;
    const row = document.getElementById('bag-row').content.firstElementChild.cloneNode(true);
    row.dataset.bagId = bag.id;
    row.querySelector('a').href = `/bags/${encodeURIComponent(bag.id)}`;
    list.prepend(row);
    document.querySelector('[data-empty="bags"]').hidden = true;
    return row;
  };

  // Money moves with bags; it is asked for at most once a second and only while the page is seen.
  const soon = (millis, work) => {
    let timer = null;
    return () => {
      if (timer === null) {
        timer = setTimeout(() => {
          timer = null;
          work();
        }, millis);
      }
    };
  };

  const renewAccount = soon(1000, async () => {
    const balance = document.querySelector('[data-account="balance"]');
    if (!balance || document.hidden) return;
    const answer = await fetch('/api/v1/account?limit=1');
    if (!answer.ok) return;
    const account = await answer.json();
    setText(balance, amount(account.balanceMicros));
    setText(document.querySelector('[data-account="earned"]'), amount(account.earnedMicros));
  });

  const renewResults = soon(1000, async () => {
    const place = document.querySelector('[data-results]');
    if (!place) return;
    const answer = await fetch(place.dataset.results);
    if (!answer.ok) return;
    const opened = new Set([...place.querySelectorAll('details[open]')].map((d) => d.dataset.key));
    place.innerHTML = await answer.text();
    for (const details of place.querySelectorAll('details')) {
      details.open = opened.has(details.dataset.key);
    }
  });

  let endedTasks = -1;
  let bagEnded = document.querySelector('.bag-page')?.dataset.ended === 'true';
  const onBag = (bag) => {
    const list = document.querySelector('[data-bags]');
    if (list) {
      showBag(bagRow(list, bag), bag);
      renewAccount();
    }
    if (bagId && bag.id === bagId) {
      showBag(document.querySelector('.bag-page'), bag);
      const cancel = document.querySelector('[data-cancel]');
      if (cancel) cancel.hidden = bag.ended;
      bagEnded = bag.ended;
      document.querySelector('[data-outputs]').hidden = bag.completed === 0;
      if (bag.completed + bag.failed !== endedTasks) {
        endedTasks = bag.completed + bag.failed;
        renewResults();
      }
      if (!bag.ended) renewWhy();
    }
  };

  const renewWhy = soon(2000, async () => {
    const answer = await fetch(`/api/v1/bags/${encodeURIComponent(bagId)}/explain`);
    if (answer.ok && !bagEnded) {
      setText(document.querySelector('[data-bag-field="why"]'), (await answer.json()).explanation);
    }
  });

  // Events are hints: what is still open on the page is also asked for now and then. An answer may
  // be older than an event, so it never changes a bag that has ended.
  const SWEEP_MILLIS = 10_000;

  const hasEnded = (bag) => {
    const shown = document.querySelector(`[data-bag-id="${CSS.escape(bag.id)}"] [data-bag-field="state"]`);
    return shown !== null && ['DONE', 'FAILED', 'CANCELLED'].includes(shown.dataset.state);
  };

  const sweep = async () => {
    if (document.hidden || bagEnded) return;
    const path = bagId ? `bags/${encodeURIComponent(bagId)}` : 'bags?limit=50';
    const answer = await fetch(`/api/v1/${path}`);
    if (!answer.ok) return;
    const found = await answer.json();
    const bags = bagId ? [found] : found.bags.reverse();
    bags.filter((bag) => !hasEnded(bag)).forEach(onBag);
  };

  // The market.

  const line = (prices) => {
    const most = Math.max(0, ...prices.filter((p) => p !== null));
    if (most === 0) return '';
    const step = prices.length === 1 ? 0 : 240 / (prices.length - 1);
    return prices
      .map((p, i) => (p === null ? '' : `${(i * step).toFixed(1)},${(46 - 44 * (p / most)).toFixed(1)}`))
      .filter(Boolean)
      .join(' ');
  };

  const showLauncher = (row, launcher) => {
    const field = (name) => row.querySelector(`[data-launcher-field="${name}"]`);
    setText(field('id'), launcher.id);
    setText(field('owner'), launcher.owner);
    setState(field('state'), launcher.state);
    setText(field('reason'), launcher.reason);
    setText(field('running'), String(launcher.running));
    setText(field('slots'), String(launcher.slots));
    setText(field('speed'), units(launcher.microUnitsPerSecond));
    setText(field('completed'), count(launcher.completed));
    setText(field('units'), units(launcher.meteredMicroUnits));
  };

  const showLaunchers = (launchers) => {
    const table = document.querySelector('[data-launchers]');
    table.hidden = launchers.length === 0;
    document.querySelector('[data-empty="launchers"]').hidden = launchers.length > 0;
    const rows = new Map([...table.tBodies[0].rows].map((row) => [row.dataset.launcherId, row]));
    for (const launcher of launchers) {
      let row = rows.get(launcher.id);
      if (!row) {
        row = document.getElementById('launcher-row').content.firstElementChild.cloneNode(true);
        row.dataset.launcherId = launcher.id;
        table.tBodies[0].append(row);
      }
      rows.delete(launcher.id);
      showLauncher(row, launcher);
    }
    for (const gone of rows.values()) gone.remove();
  };

  // Why a launcher earns nothing is told to its owner only, so it is asked for.
  const renewReasons = soon(2000, async () => {
    if (document.hidden) return;
    const answer = await fetch('/api/v1/launchers');
    if (!answer.ok) return;
    for (const launcher of (await answer.json()).launchers) {
      const row = document.querySelector(`[data-launcher-id="${CSS.escape(launcher.id)}"]`);
      if (row) setText(row.querySelector('[data-launcher-field="why"]'), launcher.explanation);
    }
  });

  const onMarket = (market) => {
    const field = (name) => document.querySelector(`[data-market="${name}"]`);
    if (!field('price')) {
      if (bagId && !bagEnded) renewWhy();
      return;
    }
    setText(field('price'), market.microsPerUnit === null ? 'no trade' : credits(market.microsPerUnit));
    field('price').dataset.traded = market.microsPerUnit !== null;
    setText(field('economy'), market.economy);
    setText(field('mechanism'), market.mechanism);
    setText(field('offered'), String(market.slotsOffered));
    setText(field('wanted'), String(market.slotsWanted));
    setText(field('traded'), String(market.slotsTraded));
    setText(field('round'), count(market.round));
    setText(field('note'), market.note);
    field('line').setAttribute('points', line(market.history));
    showLaunchers(market.launchers);
    renewReasons();
  };

  // The stream. The browser reconnects by itself and says which event it got last.

  const connect = () => {
    const query = new URLSearchParams({ after: body.dataset.position });
    if (bagId) query.set('bag', bagId);
    const source = new EventSource(`/api/v1/events?${query}`);
    const live = document.querySelector('[data-live]');
    live.hidden = false;
    const say = (text, lost) => {
      setText(live, text);
      live.title = text;
      live.toggleAttribute('data-lost', lost);
    };
    say('connecting', true);
    source.onopen = () => say('live', false);
    source.onerror = () => {
      const over = source.readyState === EventSource.CLOSED;
      say(over ? 'not live, load the page again' : 'reconnecting', true);
    };
    source.addEventListener('bag', (event) => onBag(JSON.parse(event.data)));
    source.addEventListener('market', (event) => onMarket(JSON.parse(event.data)));
    // Too much was missed: the page itself holds the present state.
    source.addEventListener('reset', () => location.reload());
    // One that fails says nothing: the stream tells what is wrong, and the next one asks again.
    const sweeping = setInterval(() => sweep().catch(() => {}), SWEEP_MILLIS);
    window.addEventListener('pagehide', () => {
      source.close();
      clearInterval(sweeping);
    });
  };

  // Forms: a question before what cannot be undone, and one submission for two clicks.

  document.addEventListener('submit', (event) => {
    const form = event.target;
    const question = event.submitter && event.submitter.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      return;
    }
    if (form.hasAttribute('data-once')) {
      setTimeout(() => form.querySelectorAll('button').forEach((b) => (b.disabled = true)), 0);
    }
  });
  window.addEventListener('pageshow', (event) => {
    document.querySelectorAll('[data-once] button').forEach((b) => (b.disabled = false));
    // A page out of the browser's memory is old.
    if (event.persisted) location.reload();
  });

  if (body.dataset.user && (bagId || document.querySelector('[data-market]'))) connect();
})();
