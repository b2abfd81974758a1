/** The handshake with a sandboxed page, and the channel to it. */
import { MAX_MESSAGES_PER_SECOND } from '../frame-page/protocol.ts';

/** Maximum time in ms until a page learns of a click inside one of its frames. */
const ACTIVATION_GRACE_MS = 500;
/** Polling interval in ms; browsers fire no event for activation. */
const POLL_MS = 20;

/** Events of a frame's channel. */
export interface ChannelEvents {
  /** The page is ready: messages can be sent. */
  onOpen(): void;
  /** The page sent a message through the channel. */
  onMessage(data: unknown): void;
  /** The frame sent a window message that is not part of the handshake. */
  onStray?(data: unknown): void;
  /** The frame loaded one of its expected pages. */
  onLoad?(): void;
  /**
   * The frame must be removed: it sent too many messages (`flooded`) or loaded another page
   * (`left`).
   */
  onEnd(reason: 'flooded' | 'left'): void;
}

/** A channel that only the page of a frame holds. */
export interface FrameChannel {
  /** Whether the page is ready. */
  readonly isOpen: boolean;
  /** Sends a message if the channel is open. */
  send(message: unknown): void;
  /**
   * Calls `then` with whether the reader has just clicked or typed: immediately if they have, else
   * within half a second. A sandboxed frame may run in a process of its own: its message can arrive
   * before the browser activates the page for the click that caused it. Browsers without the API
   * count as active.
   */
  check(then: (byReader: boolean) => void): void;
  close(): void;
}

/**
 * Waits for the page of a frame. The window channel accepts a single `ready` message from exactly
 * this frame; everything else goes through a MessagePort.
 *
 * @param expectedLoads number of pages that the frame loads; another one means that it left
 */
export function openFrameChannel(
  frame: HTMLIFrameElement,
  expectedLoads: number,
  events: ChannelEvents,
): FrameChannel {
  const view = frame.ownerDocument.defaultView!;
  const checks = new Set<ReturnType<typeof setInterval>>();
  let port: MessagePort | null = null;
  let [loads, since, messages] = [0, 0, 0];

  const close = (): void => {
    view.removeEventListener('message', onWindowMessage);
    frame.removeEventListener('load', onLoad);
    for (const timer of checks) clearInterval(timer);
    port?.close();
    port = null;
  };
  const end = (reason: 'flooded' | 'left'): void => {
    close();
    events.onEnd(reason);
  };
  const withinRate = (): boolean => {
    const now = performance.now();
    if (now - since >= 1000) [since, messages] = [now, 0];
    messages += 1;
    if (messages <= MAX_MESSAGES_PER_SECOND) return true;
    end('flooded');
    return false;
  };
  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (event.source !== frame.contentWindow || !frame.contentWindow || !withinRate()) return;
    const type = (event.data as { type?: unknown } | null)?.type;
    // From the page that the server puts around the frame.
    if (type === 'left') return end('left');
    if (port || type !== 'ready') return events.onStray?.(event.data);
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (withinRate()) events.onMessage(data);
    };
    // A sandboxed frame has no origin that could be named as the target.
    frame.contentWindow.postMessage({ type: 'port' }, '*', [channel.port2]);
    events.onOpen();
  }
  function onLoad(): void {
    loads += 1;
    if (loads > expectedLoads) end('left');
    else events.onLoad?.();
  }
  const isActive = (): boolean => view.navigator.userActivation?.isActive !== false;
  view.addEventListener('message', onWindowMessage);
  frame.addEventListener('load', onLoad);
  return {
    get isOpen() {
      return port !== null;
    },
    send: (message) => port?.postMessage(message),
    check(then) {
      if (isActive()) return then(true);
      const deadline = performance.now() + ACTIVATION_GRACE_MS;
      const timer = setInterval(() => {
        const active = isActive();
        if (!active && performance.now() < deadline) return;
        clearInterval(timer);
        checks.delete(timer);
        then(active);
      }, POLL_MS);
      checks.add(timer);
    },
    close,
  };
}
