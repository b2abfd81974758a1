/**
 * Measures a page from inside. Runs before any other script, both in the product and in the bare
 * page. Times are in ms since the navigation; "painted" means the first task after the frame.
 */
(() => {
  if (window.top !== window) return;
  const frameMs = 1000 / 60;
  /** Time limit for one measurement, in ms. */
  const LIMIT_MS = 60_000;
  const longTasks = [];
  const seen = new Map();
  const watchers = new Set();
  const marks = {};
  let frames;
  let keys;
  /** Start of the last observed frame; 0 if none is observed. */
  let last = 0;
  let isObserving = false;

  /** Root of the page's content: the shadow root of the product's page element, or the document. */
  const view = () => document.querySelector('tiding-home, tiding-notebook')?.shadowRoot ?? document;
  const count = (selector) => view().querySelectorAll(selector).length;

  const afterFrame = (act) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => act(performance.now());
    port2.postMessage(null);
  };

  const watching = () => watchers.size > 0 || frames !== undefined;

  // Pages also change in animation frame callbacks, so check after each of them.
  const nativeRequest = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) => {
    const id = nativeRequest(callback);
    if (watching()) nativeRequest(look);
    return id;
  };

  function look() {
    for (const watcher of watchers) {
      if (!watcher.test()) continue;
      watchers.delete(watcher);
      afterFrame(watcher.resolve);
    }
  }

  /** Runs once in each frame while something is observed. */
  function observe(start) {
    if (frames && last > 0 && start !== last) {
      frames.total += 1;
      frames.dropped += Math.max(0, Math.round((start - last) / frameMs) - 1);
    }
    last = start;
    look();
    isObserving = watching();
    if (isObserving) nativeRequest(observe);
    else last = 0;
  }

  const watch = () => {
    if (!isObserving) nativeRequest(observe);
    isObserving = true;
  };

  /** Settles like `promise`, or rejects after the limit; `problem` returns what is missing. */
  const limited = (promise, problem) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`after ${LIMIT_MS / 1000} s, ${problem()}`)),
        LIMIT_MS,
      );
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  };

  /** Resolves to the time at which `test` first holds after a paint. */
  const until = (test) =>
    new Promise((resolve) => {
      watchers.add({ test, resolve });
      watch();
    });

  /** Time at which `wanted` elements were first painted; later calls return the same time. */
  const shown = (selector, wanted = 1) => {
    const key = `${wanted} ${selector}`;
    if (!seen.has(key))
      seen.set(
        key,
        until(() => count(selector) >= wanted),
      );
    return seen.get(key);
  };

  /** Time from calling `act` until `test` holds after a paint, in ms. */
  const settle = async (act, test) => {
    const began = performance.now();
    act();
    return (await limited(until(test), () => 'the expected change is not painted')) - began;
  };

  /** Time from the next key press until `test` holds in the document, and after a paint, in ms. */
  const afterKey = (test) =>
    new Promise((resolve) => {
      window.addEventListener(
        'keydown',
        ({ timeStamp }) => {
          let changed;
          const observer = new MutationObserver(() => {
            if (test()) changed ??= performance.now() - timeStamp;
          });
          observer.observe(view(), { subtree: true, childList: true, characterData: true });
          void until(test).then((at) => {
            observer.disconnect();
            resolve({ changed, painted: at - timeStamp });
          });
        },
        { capture: true, once: true },
      );
    });

  const lastLongTask = () =>
    longTasks.reduce((end, { startTime, duration }) => Math.max(end, startTime + duration), 0);

  /**
   * Waits until `pause` ms pass without long tasks and changes to the content. Resolves to the time
   * of the last of them.
   */
  const quiet = async (since, pause = 500) => {
    let changed = since;
    let what = 'nothing';
    const observer = new MutationObserver((records) => {
      changed = performance.now();
      const { type, target } = records.at(-1);
      what = `${type} in ${(target.parentElement ?? target).nodeName} ${target.className ?? ''}`;
    });
    observer.observe(view(), { subtree: true, childList: true, characterData: true });
    const end = () => Math.max(changed, lastLongTask());
    const began = performance.now();
    while (performance.now() - end() < pause) {
      if (performance.now() - began > LIMIT_MS)
        throw new Error(`after ${LIMIT_MS / 1000} s, the page still changes: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    observer.disconnect();
    return end();
  };

  const elements = (root = document) => {
    let sum = 0;
    for (const element of root.querySelectorAll('*'))
      sum += 1 + (element.shadowRoot ? elements(element.shadowRoot) : 0);
    return sum;
  };

  /** Scrolls through the page, a window at a time, and waits for its end to be drawn. */
  const scrollThrough = async () => {
    for (let windows = 1; ; windows += 1) {
      const before = window.scrollY;
      const { scrollHeight } = document.documentElement;
      // A page may grow while it is scrolled, but not without end.
      if (windows > 10 + (2 * scrollHeight) / window.innerHeight)
        throw new Error(
          `after ${windows} windows, the page is not at its end: ${before} of ${scrollHeight} px`,
        );
      window.scrollBy(0, window.innerHeight);
      await limited(
        new Promise((resolve) => nativeRequest(() => afterFrame(resolve))),
        () => `no frame came while scrolling at ${before} px`,
      );
      if (window.scrollY === before) break;
    }
    await quiet(performance.now());
  };

  /** Whether a text inside an element is on the screen. */
  const onScreen = (element, text) => {
    const root = element.getRootNode();
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      const at = node.data.indexOf(text);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      const { left, width, top, height } = range.getBoundingClientRect();
      const shownAt = root.elementFromPoint(left + width / 2, top + height / 2);
      return shownAt !== null && element.contains(shownAt);
    }
    return false;
  };

  /**
   * Watches the output of a stream from the next key press until its text `end` is painted. Times
   * are in ms since the key press; `updates` counts the frames that showed a change.
   */
  const watchStream = (selector, end) =>
    new Promise((resolve) => {
      const start = ({ timeStamp }) => {
        const found = { updates: 0 };
        let changed = false;
        // The output of the previous run is cleared first.
        let cleared = !view().querySelector(selector)?.textContent.includes(end);
        const observer = new MutationObserver(() => (changed = true));
        observer.observe(view(), { subtree: true, childList: true, characterData: true });
        const frame = () => {
          const output = view().querySelector(selector);
          const text = changed ? (output?.textContent ?? '') : '';
          if (changed) {
            changed = false;
            cleared ||= !text.includes(end);
            if (cleared && text.includes('line ')) {
              found.updates += 1;
              afterFrame((at) => (found.first ??= at - timeStamp));
            }
          }
          if (!cleared || !text.includes(end)) return void nativeRequest(frame);
          observer.disconnect();
          afterFrame((at) => {
            found.end = at - timeStamp;
            nativeRequest(() => resolve({ ...found, visible: onScreen(output, end) }));
          });
        };
        nativeRequest(frame);
      };
      window.addEventListener('keydown', start, { capture: true, once: true });
    });

  const onKey = ({ timeStamp }) =>
    nativeRequest(() => afterFrame((at) => keys.push(at - timeStamp)));

  /** Starts measuring keys and frames. */
  const watchTyping = () => {
    keys = [];
    frames = { total: 0, dropped: 0 };
    window.addEventListener('keydown', onKey, { capture: true });
    watch();
  };

  /** Stops `watchTyping` and returns its measurements. */
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

  /** Sets a mark that also appears in traces of the page. */
  const mark = (name) => {
    performance.mark(`bench-${name}`);
    return performance.now();
  };
  const note = () => (marks.note ??= mark('note'));

  /** Starts recording the times between frames; the second call stops and returns them, in ms. */
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

  // Mark the arrival of a note before the page handles it.
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
    until: (test) => limited(until(test), () => 'the expected change is not painted'),
    shown: (selector, wanted = 1) =>
      limited(
        shown(selector, wanted),
        () => `the page has ${count(selector)} of ${wanted} '${selector}'`,
      ),
    settle,
    afterKey,
    quiet,
    elements,
    marks,
    mark,
    frameTimes,
    scrollThrough,
    watchStream,
    watchTyping,
    typed,
    /** Removes all watchers, because watching a page triggers frames. */
    rest: () => watchers.clear(),
    /** Total time of long tasks beyond 50 ms each. */
    blocking: () => longTasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0),
    text: (selector) => view().querySelector(selector)?.textContent.trim() ?? '',
  };
  // Watch from the start, so that the first paint is not missed.
  void shown('[role=treeitem]');
  void shown('article');
})();
