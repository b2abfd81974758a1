import {
  type FrameTheme,
  type FrameValues,
  frameCssVariables,
  type ToFrame,
} from '../frame-page/protocol.ts';
import { styleInside } from '../parts/style-inside.ts';
import { sendColorScheme } from './frame-address.ts';
import { openFrameChannel } from './frame-channel.ts';
import {
  type FrameCall,
  type FromFrame,
  looksLikeFrameMessage,
  readFrameMessage,
} from './frame-messages.ts';

export { readFrameMessage } from './frame-messages.ts';

/** Events a frame can cause. */
export interface FrameEvents {
  onHeight(height: number): void;
  onError(message: string): void;
  /** The frame's policy blocked a script, style or image from an `https` origin. */
  onBlocked?(origin: string): void;
  /** A web link was clicked in the frame. Ask the user before opening it. */
  onLink(url: URL): void;
  /**
   * The frame must be removed: it sent too many messages (`flooded`), loaded another page (`left`)
   * or never loaded its own page (`silent`).
   */
  onEnd(reason: 'flooded' | 'left' | 'silent'): void;
  /** A forged or invalid message was dropped. */
  onForged?(): void;
  /** The requested search match is `top` px below the top of the frame. */
  onMarked?(top: number): void;
  /** Shared values were changed in the frame. Only names and plain JSON were validated. */
  onValues?(values: FrameValues): void;
  /**
   * A script of a bound output requests an action. `byReader` is true if the user has just clicked
   * or typed. It is checked only for `run`; for other calls it is false.
   */
  onCall?(call: FrameCall, byReader: boolean): void;
  /** The frame has its content and receives messages. */
  onReady?(): void;
  /** Jupyter widgets of the output have messages for their kernel. Only their form was checked. */
  onComms?(requests: Extract<FromFrame, { type: 'comms' }>['requests']): void;
}

export interface FrameConnection {
  setTheme(theme: FrameTheme): void;
  /** Replaces the content; scripts in it do not run. */
  setContent(content: Extract<ToFrame, { type: 'content' }>): void;
  /** Sends changed shared values and the names of removed ones. */
  setValues(set: FrameValues, unset: readonly string[]): void;
  /** Sends the Jupyter widget of the output, or messages of its kernel. */
  setWidget(message: Extract<ToFrame, { type: 'widget' | 'comms' }>): void;
  /** Highlights search matches; see `ToFrame`. */
  mark(expression: RegExp | undefined, current: number): void;
  close(): void;
}

/** Time in ms after which a frame that hasn't loaded its page counts as failed. */
const pageTimeout = 15_000;
/** The same, in ms, once the browser has fired `load`. */
const loadedTimeout = 3_000;

const connections = new WeakMap<HTMLIFrameElement, FrameConnection>();

/** Returns the connection of an output's frame, for the note's search. */
export const connectionOf = (frame: HTMLIFrameElement): FrameConnection | undefined =>
  connections.get(frame);

/** Connects to an output frame. */
export function connectFrame(
  frame: HTMLIFrameElement,
  content: () => Extract<ToFrame, { type: 'content' }>,
  events: FrameEvents,
): FrameConnection {
  let waiting = setTimeout(() => end('silent'), pageTimeout);
  const close = (): void => {
    clearTimeout(waiting);
    connections.delete(frame);
    channel.close();
  };
  const end = (reason: 'flooded' | 'left' | 'silent'): void => {
    close();
    events.onEnd(reason);
  };
  // The frame loads the page itself, and the output once it is written.
  const channel = openFrameChannel(frame, 2, {
    onOpen() {
      clearTimeout(waiting);
      const first = content();
      sendColorScheme(frame, first.theme.colorScheme);
      channel.send(first);
      events.onReady?.();
    },
    onMessage(data) {
      const message = readFrameMessage(data);
      switch (message?.type) {
        case undefined:
          return events.onForged?.();
        case 'resize':
          return events.onHeight(message.height);
        case 'error':
          return events.onError(message.message);
        case 'blocked':
          return events.onBlocked?.(message.origin);
        case 'open-link':
          // Without a user gesture, the request comes from a script and not from a click.
          return channel.check((byReader) => byReader && events.onLink(new URL(message.href)));
        case 'marked':
          return events.onMarked?.(message.top);
        case 'angular-set':
          return events.onValues?.(message.values);
        case 'comms':
          return events.onComms?.(message.requests);
        case 'call':
          return message.call === 'run'
            ? channel.check((byReader) => events.onCall?.(message, byReader))
            : events.onCall?.(message, false);
      }
    },
    onStray(data) {
      if (looksLikeFrameMessage(data)) events.onForged?.();
    },
    onLoad() {
      if (channel.isOpen) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => end('silent'), loadedTimeout);
    },
    onEnd: end,
  });
  const say = (message: ToFrame): void => channel.send(message);
  const connection: FrameConnection = {
    setTheme(theme) {
      sendColorScheme(frame, theme.colorScheme);
      say({ type: 'theme', theme });
    },
    setContent: say,
    setWidget: say,
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

/** Returns the theme at an element, in the form a frame receives. */
export function themeOf(element: Element): FrameTheme {
  const style = getComputedStyle(element);
  const vars: Record<string, string> = {};
  for (const name of frameCssVariables) {
    const value = style.getPropertyValue(name).trim();
    if (value !== '') vars[name] = value;
  }
  // The property `color-scheme` may allow both.
  const { color } = styleInside(element, { color: 'light-dark(rgb(255, 255, 255), rgb(0, 0, 0))' });
  return { colorScheme: color === 'rgb(0, 0, 0)' ? 'dark' : 'light', vars };
}
