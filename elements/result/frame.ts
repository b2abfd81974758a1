import { frameVars, maxFrameHeight, maxMessageRate, maxMessageSize, type FrameTheme, type FromFrame, type ToFrame } from './frame-page/protocol.ts';

/** What a frame may cause. */
export interface FrameEvents {
  onHeight(height: number): void;
  onError(message: string): void;
  /** A link to the web was clicked in the frame; ask before following it. */
  onLink(url: URL): void;
  /** The frame has to be removed: it sent too much, or loaded another page. */
  onEnd(reason: 'flooded' | 'left'): void;
}

export interface FrameConnection {
  setTheme(theme: FrameTheme): void;
  close(): void;
}

/** A message of the frame if it is one of the known ones in every part; null for everything else. */
export function readFrameMessage(data: unknown): FromFrame | null {
  if (typeof data !== 'object' || data === null || sizeOf(data) > maxMessageSize) return null;
  const { type, height, message, href } = data as Record<string, unknown>;
  if (type === 'resize' && typeof height === 'number' && Number.isFinite(height)) {
    return { type, height: Math.min(maxFrameHeight, Math.max(0, Math.ceil(height))) };
  }
  if (type === 'error' && typeof message === 'string') return { type, message: message.slice(0, 500) };
  if (type === 'open-link' && typeof href === 'string' && webUrl(href)) return { type, href };
  return null;
}

function sizeOf(data: object): number {
  try {
    return JSON.stringify(data).length;
  } catch {
    return Infinity;
  }
}

function webUrl(href: string): URL | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/**
 * Speaks with an output frame. Its only word on the window is `ready`, and only from that very frame: messages of other
 * windows are nobody's. All else goes through a port that only the frame page holds.
 */
export function connectFrame(frame: HTMLIFrameElement, content: () => Extract<ToFrame, { type: 'content' }>, events: FrameEvents): FrameConnection {
  const view = frame.ownerDocument.defaultView!;
  let port: MessagePort | null = null;
  let loads = 0;
  let since = 0;
  let messages = 0;

  const close = (): void => {
    view.removeEventListener('message', onWindowMessage);
    frame.removeEventListener('load', onLoad);
    port?.close();
    port = null;
  };
  const end = (reason: 'flooded' | 'left'): void => {
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
    if (message?.type === 'resize') events.onHeight(message.height);
    else if (message?.type === 'error') events.onError(message.message);
    // Without a gesture of the reader a script is asking, not a click.
    else if (message?.type === 'open-link' && view.navigator.userActivation?.isActive !== false) events.onLink(new URL(message.href));
  };
  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (event.source !== frame.contentWindow || !frame.contentWindow || !withinRate()) return;
    if (port || (event.data as { type?: unknown } | null)?.type !== 'ready') return;
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
  }

  view.addEventListener('message', onWindowMessage);
  frame.addEventListener('load', onLoad);
  return {
    setTheme: (theme) => port?.postMessage({ type: 'theme', theme } satisfies ToFrame),
    close,
  };
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
