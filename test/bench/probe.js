/**
 * Looks at a page from inside; put into it before anything of its own runs, and the same in the product and in the bare
 * page. Times are ms since the navigation; "painted" is the first task after the frame that shows it.
 */
(() => {
  if (window.top !== window) return;
  const frameMs = 1000 / 60;
  const longTasks = [];
  const seen = new Map();
  const watchers = new Set();
  const marks = {};
  let frames;
  let keys;
  /** Start of the frame that was looked at last; 0 while nobody looks. */
  let last = 0;

  /** The page's content: in the shadow root of the product's page element, else in the document. */
  const view = () => document.querySelector('tiding-home, tiding-notebook')?.shadowRoot ?? document;
  const count = (selector) => view().querySelectorAll(selector).length;

  const afterFrame = (act) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => act(performance.now());
    port2.postMessage(null);
  };

  const watching = () => watchers.size > 0 || frames !== undefined;

  // A page changes itself in callbacks of the frame too: there is a look behind each that it asks for, beside the one a frame.
  const nativeRequest = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    const id = nativeRequest(callback);
    if (watching()) nativeRequest(look);
    return id;
  };

  function look(start) {
    if (start !== last) countFrame(start);
    for (const watcher of watchers) {
      if (!watcher.test()) continue;
      watchers.delete(watcher);
      afterFrame(watcher.resolve);
    }
  }

  function countFrame(start) {
    if (frames && last > 0) {
      frames.total += 1;
      frames.dropped += Math.max(0, Math.round((start - last) / frameMs) - 1);
    }
    last = start;
    if (watching()) nativeRequest(look);
    else last = 0;
  }

  const watch = () => {
    if (last === 0) nativeRequest(look);
  };

  /** When `test` was first true of what is painted. */
  const until = (test) =>
    new Promise((resolve) => {
      watchers.add({ test, resolve });
      watch();
    });

  /** When so many elements were first painted; asked for again, the same answer. */
  const shown = (selector, wanted = 1) => {
    const key = `${wanted} ${selector}`;
    if (!seen.has(key))
      seen.set(
        key,
        until(() => count(selector) >= wanted),
      );
    return seen.get(key);
  };

  /** From the call of `act` until `test` is true of what is painted, ms. */
  const settle = async (act, test) => {
    const began = performance.now();
    act();
    return (await until(test)) - began;
  };

  /** From the next key's event until `test` is true of what is painted, ms. */
  const afterKey = (test) =>
    new Promise((resolve) => {
      window.addEventListener(
        'keydown',
        ({ timeStamp }) => void until(test).then((at) => resolve(at - timeStamp)),
        { capture: true, once: true },
      );
    });

  const lastLongTask = () =>
    longTasks.reduce((end, { startTime, duration }) => Math.max(end, startTime + duration), 0);

  /**
   * Waits until nothing has happened for a while after `since`: no long task, no change of the content. Answers when the
   * last thing happened.
   */
  const quiet = async (since, pause = 500) => {
    let changed = since;
    const observer = new MutationObserver(() => (changed = performance.now()));
    observer.observe(view(), { subtree: true, childList: true, characterData: true });
    const end = () => Math.max(changed, lastLongTask());
    while (performance.now() - end() < pause)
      await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    return end();
  };

  const elements = (root = document) => {
    let sum = 0;
    for (const element of root.querySelectorAll('*'))
      sum += 1 + (element.shadowRoot ? elements(element.shadowRoot) : 0);
    return sum;
  };

  const onKey = ({ timeStamp }) =>
    nativeRequest(() => afterFrame((at) => keys.push(at - timeStamp)));

  /** Begins to measure keys and frames. */
  const watchTyping = () => {
    keys = [];
    frames = { total: 0, dropped: 0 };
    window.addEventListener('keydown', onKey, { capture: true });
    watch();
  };

  /** Ends what `watchTyping` began, and tells. */
  const typed = () => {
    window.removeEventListener('keydown', onKey, { capture: true });
    const found = { keys, ...frames };
    frames = undefined;
    return found;
  };

  new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({
    type: 'longtask',
    buffered: true,
  });

  /** Names a moment for whoever traces the page, too. */
  const mark = (name) => {
    performance.mark(`bench-${name}`);
    return performance.now();
  };
  const note = () => (marks.note ??= mark('note'));

  /** Takes down the time between frames, until it is called again for what it has: ms, one each frame. */
  let intervals;
  const frameTimes = () => {
    if (intervals) {
      const found = intervals;
      intervals = undefined;
      return found;
    }
    const own = (intervals = []);
    let before = 0;
    const next = (start) => {
      if (intervals !== own) return;
      if (before > 0) own.push(start - before);
      before = start;
      nativeRequest(next);
    };
    nativeRequest(next);
    return own;
  };

  // The moment at which a note has arrived, before the page makes anything of it.
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && data.startsWith('{"op":"NOTE"')) note();
      });
    }
  };

  window.bench = {
    view,
    count,
    until,
    shown,
    settle,
    afterKey,
    quiet,
    elements,
    marks,
    mark,
    frameTimes,
    lastLongTask,
    watchTyping,
    typed,
    /** Forgets what is waited for: a page that is looked at makes frames. */
    rest: () => watchers.clear(),
    /** Sum of what long tasks took beyond 50 ms each. */
    blocking: () => longTasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
    /** Bytes that came over the wire so far; what the cache had counts nothing. */
    transferred: () =>
      [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ].reduce((sum, { transferSize }) => sum + transferSize, 0),
    text: (selector) => view().querySelector(selector)?.textContent.trim() ?? '',
  };
  // Watched from the start: asking later would find them painted already.
  void shown('[role=treeitem]');
  void shown('article');
})();
