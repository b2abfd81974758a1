/*
 * The page inside every output frame. It has an opaque origin and a policy that allows scripts and nothing else; it gets
 * a port from the page around it, writes the output so that its scripts run in order, and reports its height.
 */
import sheet from './frame.css';
import { mark, markSheet } from './marks.ts';
import {
  maxFrameHeight,
  type FrameTheme,
  type FromFrame,
  type ToFrame,
  type Values,
} from './protocol.ts';

/** What a kind of output adds to the page. */
export interface Kind {
  /** Further styles. */
  readonly sheet?: string;
  /** The output has been written, and its scripts have run. */
  ready(values: Values, send: (message: FromFrame) => void): void;
  /** Values it is bound to have changed. */
  values(set: Values, unset: readonly string[]): void;
}

/** Reports are at least this far apart, well below the rate at which the page stops listening. */
const reportInterval = 50;
/** Content that grows with its frame (a height of 100vh) would do so forever. */
const maxGrowth = 25;

/** Waits for the port, says that it can be given, and serves it. */
export function start(kind?: Kind): void {
  window.addEventListener('message', function receive(event) {
    const port = event.ports[0];
    if (
      event.source !== window.parent ||
      (event.data as { type?: unknown } | null)?.type !== 'port' ||
      !port
    )
      return;
    window.removeEventListener('message', receive);
    serve(port, kind);
  });
  window.parent.postMessage({ type: 'ready' }, '*');
}

function serve(port: MessagePort, kind: Kind | undefined): void {
  const send = port.postMessage.bind(port) as (message: FromFrame) => void;
  let written = false;
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.type === 'content') {
      applyTheme(data.theme);
      if (written) document.body.innerHTML = data.html;
      else {
        written = true;
        write(data.html, data.theme, `${sheet}${markSheet}${kind?.sheet ?? ''}`);
        observe(send);
        kind?.ready(data.values, send);
      }
    } else if (data.type === 'theme') applyTheme(data.theme);
    else if (data.type === 'values') kind?.values(data.set, data.unset);
    else if (data.type === 'mark') mark(data, send);
  };
}

/** `document.write` runs scripts as a browser loading the page would: in order, each before what follows it. */
function write(html: string, theme: FrameTheme, styles: string): void {
  document.open();
  document.write(
    `<!doctype html><html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>${styles}</style></head><body>`,
  );
  applyTheme(theme);
  document.write(html);
  document.close();
}

function applyTheme({ colorScheme, vars }: FrameTheme): void {
  const { style } = document.documentElement;
  style.colorScheme = colorScheme;
  for (const [name, value] of Object.entries(vars))
    if (name.startsWith('--_')) style.setProperty(name, value);
}

function observe(send: (message: FromFrame) => void): void {
  let last = -1;
  let growth = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reportedAt = 0;
  const report = (): void => {
    timer = undefined;
    const height = contentHeight();
    if (height === last) return;
    growth = height > last ? growth + 1 : 0;
    if (growth > maxGrowth) return;
    last = height;
    reportedAt = performance.now();
    document.documentElement.style.overflowY = height > maxFrameHeight ? 'auto' : '';
    send({ type: 'resize', height });
  };
  const soon = (): void => {
    timer ??= setTimeout(report, Math.max(0, reportedAt + reportInterval - performance.now()));
  };
  const sizes = new ResizeObserver(soon);
  sizes.observe(document.documentElement);
  if (document.body) sizes.observe(document.body);
  window.addEventListener('load', soon, true);
  // A change somebody made counts as new content, whatever it does to the height.
  window.addEventListener('pointerdown', () => (growth = 0), true);
  window.addEventListener(
    'error',
    (event) => event.message && send({ type: 'error', message: event.message.slice(0, 500) }),
  );
  window.addEventListener('click', (event) => followLink(event, send), true);
  report();
}

function contentHeight(): number {
  const { documentElement: root, body } = document;
  const scrollbar = Math.max(0, window.innerHeight - root.clientHeight);
  const height = Math.max(root.offsetHeight, body ? body.scrollHeight : 0);
  return Math.ceil(height + (root.scrollWidth > root.clientWidth ? scrollbar : 0));
}

/** Links to the web are the page's to open, after asking; links within the output work as they are. */
function followLink(event: MouseEvent, send: (message: FromFrame) => void): void {
  const link = event
    .composedPath()
    .find((target) => target instanceof HTMLAnchorElement || target instanceof HTMLAreaElement);
  const href = link?.getAttribute('href');
  if (!link || !href || href.startsWith('#') || /^\s*javascript:/i.test(href)) return;
  event.preventDefault();
  if (/^https?:$/.test(link.protocol)) send({ type: 'open-link', href: link.href });
}
