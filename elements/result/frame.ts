import {
  frameVars,
  maxMessageRate,
  type FrameCall,
  type FrameTheme,
  type ToFrame,
  type Values,
} from './frame-page/protocol.ts';
import { looksLikeFrameMessage, readFrameMessage } from './frame-messages.ts';

export { readFrameMessage } from './frame-messages.ts';

/** What a frame may cause. */
export interface FrameEvents {
  onHeight(height: number): void;
  onError(message: string): void;
  /** A link to the web was clicked in the frame; ask before following it. */
  onLink(url: URL): void;
  /** The frame has to be removed: it sent too much, loaded another page, or its own page never came. */
  onEnd(reason: 'flooded' | 'left' | 'silent'): void;
  /** A message was dropped that pretends to be one of the frame's page, or is none that it would send. */
  onForged?(): void;
  /** The mark that was asked for is `top` px below the top of the frame. */
  onMarked?(top: number): void;
  /** Bound values were changed in the frame: names and plain JSON, nothing more is known of them. */
  onValues?(values: Values): void;
  /** A script of a bound output asks for something. `byReader`: he has just clicked or typed. */
  onCall?(call: FrameCall, byReader: boolean): void;
}

export interface FrameConnection {
  setTheme(theme: FrameTheme): void;
  /** Another output in the place of the one that was given first; scripts in it do not run. */
  setContent(content: Extract<ToFrame, { type: 'content' }>): void;
  /** Bound values that became others, and names that are gone. */
  setValues(set: Values, unset: readonly string[]): void;
  /** Marks what the note's search finds; see `ToFrame`. */
  mark(expression: RegExp | undefined, current: number): void;
  close(): void;
}

/** A page that has not come by then, ms, does not come any more. */
const patience = 15_000;
/** The same once the browser says that something has been loaded. */
const patienceLoaded = 3_000;

const connections = new WeakMap<HTMLIFrameElement, FrameConnection>();

/** The connection to the frame of an output, for the search of the note. */
export const connectionOf = (frame: HTMLIFrameElement): FrameConnection | undefined =>
  connections.get(frame);

/**
 * Speaks with an output frame. Its only word on the window is `ready`, and only from that very frame: messages of other
 * windows are nobody's. All else goes through a port that only the frame page holds.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  content: () => Extract<ToFrame, { type: 'content' }>,
  events: FrameEvents,
): FrameConnection {
  const view = frame.ownerDocument.defaultView!;
  let port: MessagePort | null = null;
  let loads = 0;
  let since = 0;
  let messages = 0;
  let waiting = setTimeout(() => end('silent'), patience);

  const close = (): void => {
    view.removeEventListener('message', onWindowMessage);
    frame.removeEventListener('load', onLoad);
    clearTimeout(waiting);
    connections.delete(frame);
    port?.close();
    port = null;
  };
  const end = (reason: 'flooded' | 'left' | 'silent'): void => {
    close();
    events.onEnd(reason);
  };
  const withinRate = (): boolean => {
    const now = performance.now();
    if (now - since >= 1000) {
      since = now;
      messages = 0;
    }
    messages += 1;
    if (messages <= maxMessageRate) return true;
    end('flooded');
    return false;
  };
  const onPortMessage = ({ data }: MessageEvent<unknown>): void => {
    if (!withinRate()) return;
    const message = readFrameMessage(data);
    // Without a gesture of the reader a script is asking, not a click.
    const byReader = view.navigator.userActivation?.isActive !== false;
    switch (message?.type) {
      case undefined:
        return events.onForged?.();
      case 'resize':
        return events.onHeight(message.height);
      case 'error':
        return events.onError(message.message);
      case 'open-link':
        return byReader ? events.onLink(new URL(message.href)) : undefined;
      case 'marked':
        return events.onMarked?.(message.top);
      case 'angular-set':
        return events.onValues?.(message.values);
      case 'call': {
        const { type: _, ...call } = message;
        return events.onCall?.(call, byReader);
      }
    }
  };
  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (event.source !== frame.contentWindow || !frame.contentWindow || !withinRate()) return;
    if (port || (event.data as { type?: unknown } | null)?.type !== 'ready') {
      if (looksLikeFrameMessage(event.data)) events.onForged?.();
      return;
    }
    clearTimeout(waiting);
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = onPortMessage;
    // The frame has no origin that could be named here.
    frame.contentWindow.postMessage({ type: 'port' }, '*', [channel.port2]);
    port.postMessage(content());
  }
  function onLoad(): void {
    // The page itself, and the output once it is written. Whatever comes then is something else.
    loads += 1;
    if (loads > 2) end('left');
    else if (!port) {
      clearTimeout(waiting);
      waiting = setTimeout(() => end('silent'), patienceLoaded);
    }
  }

  view.addEventListener('message', onWindowMessage);
  frame.addEventListener('load', onLoad);
  const say = (message: ToFrame): void => port?.postMessage(message);
  const connection: FrameConnection = {
    setTheme: (theme) => say({ type: 'theme', theme }),
    setContent: say,
    setValues: (set, unset) => say({ type: 'values', set, unset }),
    mark: (expression, current) =>
      say({
        type: 'mark',
        source: expression?.source ?? '',
        flags: expression?.flags ?? '',
        current,
      }),
    close,
  };
  connections.set(frame, connection);
  return connection;
}

/** The look around an element, as a frame can be given it. */
export function themeOf(element: Element): FrameTheme {
  const style = getComputedStyle(element);
  const vars: Record<string, string> = {};
  for (const name of frameVars) {
    const value = style.getPropertyValue(name).trim();
    if (value !== '') vars[name] = value;
  }
  return { colorScheme: isDark(element) ? 'dark' : 'light', vars };
}

/** Whether dark colours are used at an element: asked of a colour that knows, as `color-scheme` may say "either". */
export function isDark(element: Element): boolean {
  const probe = element.ownerDocument.createElement('span');
  probe.style.display = 'none';
  probe.style.color = 'light-dark(rgb(255, 255, 255), rgb(0, 0, 0))';
  element.append(probe);
  const dark = getComputedStyle(probe).color === 'rgb(0, 0, 0)';
  probe.remove();
  return dark;
}
