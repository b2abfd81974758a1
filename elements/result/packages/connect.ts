/** Speaks with the page of a package: the same way in as output frames have, other messages. */
import type { Client } from 'tiding/client';
import { maxMessageRate, maxMessageSize } from '../frame-page/protocol.ts';
import type { ToPackage } from '../package-page/protocol.ts';
import { readPackageMessage, type Heard } from './messages.ts';

/** What is heard of a frame. */
export interface PackageEvents {
  onMessage(message: Heard): void;
  /** The frame has to be removed: it sent too much, or loaded another page. */
  onEnd(reason: 'flooded' | 'left'): void;
}

export interface PackageConnection {
  /** Sent when the frame is ready. */
  send(message: ToPackage): void;
  close(): void;
}

/** Address of the page that packages of a client's server run in. */
export const packageFrameUrl = ({ server }: Client): string => `${server}/package-frame/1`;

/** Makes the frame what a foreign program may have: scripts, and nothing of this page. */
export function isolate(frame: HTMLIFrameElement): void {
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = '';
  frame.referrerPolicy = 'no-referrer';
}

/** Connects to a frame whose page is about to load. Its only word on the window is `ready`; all else goes through a port. */
export function connectPackage(
  frame: HTMLIFrameElement,
  { onMessage, onEnd }: PackageEvents,
): PackageConnection {
  const view = frame.ownerDocument.defaultView!;
  const waiting: ToPackage[] = [];
  let port: MessagePort | null = null;
  let [loads, since, messages] = [0, 0, 0];

  const close = (): void => {
    view.removeEventListener('message', onWindowMessage);
    frame.removeEventListener('load', onLoad);
    port?.close();
    port = null;
  };
  const end = (reason: 'flooded' | 'left'): void => {
    close();
    onEnd(reason);
  };
  const withinRate = (): boolean => {
    const now = performance.now();
    if (now - since >= 1000) [since, messages] = [now, 0];
    messages += 1;
    if (messages <= maxMessageRate) return true;
    end('flooded');
    return false;
  };
  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (event.source !== frame.contentWindow || !frame.contentWindow || !withinRate()) return;
    if (port || (event.data as { type?: unknown } | null)?.type !== 'ready') return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!withinRate()) return;
      const message = readPackageMessage(data, maxMessageSize);
      // Without a gesture of the reader a script is asking, not a click.
      if (
        message &&
        (message.type !== 'open-link' || view.navigator.userActivation?.isActive !== false)
      )
        onMessage(message);
    };
    // The frame has no origin that could be named here.
    frame.contentWindow.postMessage({ type: 'port' }, '*', [channel.port2]);
    for (const message of waiting.splice(0)) port.postMessage(message);
  }
  function onLoad(): void {
    loads += 1;
    if (loads > 1) end('left');
  }
  view.addEventListener('message', onWindowMessage);
  frame.addEventListener('load', onLoad);
  return {
    send: (message) => void (port ? port.postMessage(message) : waiting.push(message)),
    close,
  };
}
