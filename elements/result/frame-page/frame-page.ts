/*
 * Page inside every output frame. It has an opaque origin and a policy that allows only scripts. It
 * receives a MessagePort from the host page, writes the output so that its scripts run in order,
 * and reports its height.
 */

import type { FromFrame } from '../frames/frame-messages.ts';
import sheet from './frame.css';
import { applyTheme, followLink, receivePort } from './page-port.ts';
import {
  type FrameTheme,
  type FrameValues,
  type FrameWidget,
  MAX_FRAME_HEIGHT_PX,
  type ToFrame,
} from './protocol.ts';
import { highlightMatches, highlightSheet } from './search-highlights.ts';

/** Extension of the frame page for a type of output. */
interface FramePageExtension {
  /** Additional styles. */
  readonly sheet?: string;
  /** Called when the output has been written and its scripts have run. */
  ready(values: FrameValues, send: (message: FromFrame) => void): void;
  /** Called when shared values have changed. */
  values?(set: FrameValues, unset: readonly string[]): void;
  /** Called with the Jupyter widget of the output. */
  widget?(widget: FrameWidget): void;
  /** Called with messages of the kernel of that widget. */
  comms?(events: Extract<ToFrame, { type: 'comms' }>['events']): void;
}

/** Minimum interval between height reports, in ms; well below the rate limit of the host page. */
const reportInterval = 50;
/**
 * Maximum number of consecutive growth reports. Content sized relative to its frame, such as 100vh,
 * would grow forever.
 */
const maxGrowth = 25;
/** Maximum number of blocked hosts that are reported. */
const MAX_BLOCKED_HOSTS = 10;

/** Announces that the page is ready, waits for the port and handles its messages. */
export function startFramePage(kind?: FramePageExtension): void {
  receivePort((port) => serve(port, kind));
}

/** The message about an error that the page caught. */
export const failureOf = (error: unknown): Extract<FromFrame, { type: 'error' }> => ({
  type: 'error',
  message: String((error as Error)?.message ?? error).slice(0, 500),
});

function serve(port: MessagePort, kind: FramePageExtension | undefined): void {
  const send = port.postMessage.bind(port) as (message: FromFrame) => void;
  let written = false;
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.type === 'content') {
      applyTheme(data.theme);
      if (written) document.body.innerHTML = data.html;
      else {
        written = true;
        write(data.html, data.theme, `${sheet}${highlightSheet}${kind?.sheet ?? ''}`, send);
        observe(send);
        kind?.ready(data.values, send);
      }
    } else if (data.type === 'theme') applyTheme(data.theme);
    else if (data.type === 'values') kind?.values?.(data.set, data.unset);
    else if (data.type === 'widget') kind?.widget?.(data);
    else if (data.type === 'comms') kind?.comms?.(data.events);
    else if (data.type === 'mark') highlightMatches(data, send);
  };
}

/**
 * Writes the output with `document.write`, which runs scripts in order like a loading page, each
 * before the content that follows it.
 */
function write(
  html: string,
  theme: FrameTheme,
  styles: string,
  send: (message: FromFrame) => void,
): void {
  document.open();
  // Opening the document has removed all listeners.
  reportBlocked(send);
  document.write(
    `<!doctype html><html><head><meta charset="utf-8">` +
      `<meta name="color-scheme" content="light dark"><style>${styles}</style></head><body>`,
  );
  applyTheme(theme);
  document.write(html);
  document.close();
}

/** Reports each host once whose scripts, styles or images the policy of the frame blocks. */
function reportBlocked(send: (message: FromFrame) => void): void {
  const reported = new Set<string>();
  window.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (!/^(?:script|style|img)-src/.test(effectiveDirective)) return;
    const origin = blockedURI.startsWith('https://') ? new URL(blockedURI).origin : '';
    if (origin === '' || reported.size >= MAX_BLOCKED_HOSTS || reported.has(origin)) return;
    reported.add(origin);
    send({ type: 'blocked', origin });
  });
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
    document.documentElement.style.overflowY = height > MAX_FRAME_HEIGHT_PX ? 'auto' : '';
    send({ type: 'resize', height });
  };
  const soon = (): void => {
    if (timer !== undefined) return;
    timer = setTimeout(report, Math.max(0, reportedAt + reportInterval - performance.now()));
  };
  const sizes = new ResizeObserver(soon);
  sizes.observe(document.documentElement);
  if (document.body) sizes.observe(document.body);
  window.addEventListener('load', soon, true);
  // After user input, growth counts from zero, because a change by the user is new content.
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
