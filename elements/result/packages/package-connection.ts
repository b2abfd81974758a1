/**
 * Connects to the sandboxed page of a package: the same handshake as output frames, with different
 * messages.
 */
import type { Client } from '@tiding/client';
import { MAX_MESSAGE_CHARACTERS, MAX_MESSAGES_PER_SECOND } from '../frame-page/protocol.ts';
import { activationOf } from '../frames/activation.ts';
import { frameBase, sendColorScheme } from '../frames/frame-address.ts';
import type { ToPackage } from '../package-page/protocol.ts';
import { type PackageMessage, readPackageMessage } from './package-messages.ts';

/** Events of a package's frame. */
interface PackageEvents {
  onMessage(message: PackageMessage): void;
  /**
   * The frame must be removed: it sent too many messages (`flooded`) or loaded another page
   * (`left`).
   */
  onEnd(reason: 'flooded' | 'left'): void;
}

export interface PackageConnection {
  /** Sends a message; queued until the frame is ready. */
  send(message: ToPackage): void;
  close(): void;
}

/** Returns the URL of the page in which packages of a client's server run. */
export const packageFrameUrl = (client: Client): string => `${frameBase(client)}/package-frame/1`;

/** Restricts a frame to running scripts, without access to the page or other permissions. */
export function isolateFrame(frame: HTMLIFrameElement): void {
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = '';
  frame.referrerPolicy = 'no-referrer';
}

/**
 * Connects to a frame whose page is about to load. The window channel accepts a single `ready`
 * message; everything else goes through a MessagePort.
 */
export function connectPackage(
  frame: HTMLIFrameElement,
  { onMessage, onEnd }: PackageEvents,
): PackageConnection {
  const view = frame.ownerDocument.defaultView!;
  const waiting: ToPackage[] = [];
  const activation = activationOf(view);
  let port: MessagePort | null = null;
  let [loads, since, messages] = [0, 0, 0];

  const close = (): void => {
    view.removeEventListener('message', onWindowMessage);
    frame.removeEventListener('load', onLoad);
    activation.close();
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
    if (messages <= MAX_MESSAGES_PER_SECOND) return true;
    end('flooded');
    return false;
  };
  function onWindowMessage(event: MessageEvent<unknown>): void {
    if (event.source !== frame.contentWindow || !frame.contentWindow || !withinRate()) return;
    const type = (event.data as { type?: unknown } | null)?.type;
    // From the page that the server puts around the frame.
    if (type === 'left') return end('left');
    if (port || type !== 'ready') return;
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!withinRate()) return;
      const message = readPackageMessage(data, MAX_MESSAGE_CHARACTERS);
      // Without a user gesture, the request comes from a script and not from a click.
      if (message?.type === 'open-link')
        activation.check((byReader) => byReader && onMessage(message));
      else if (message) onMessage(message);
    };
    // A sandboxed frame has no origin that could be named as the target.
    frame.contentWindow.postMessage({ type: 'port' }, '*', [channel.port2]);
    for (const message of waiting.splice(0)) send(message);
  }
  function onLoad(): void {
    loads += 1;
    if (loads > 1) end('left');
  }
  view.addEventListener('message', onWindowMessage);
  frame.addEventListener('load', onLoad);
  function send(message: ToPackage): void {
    if (!port) return void waiting.push(message);
    if (message.type === 'show' || message.type === 'theme')
      sendColorScheme(frame, message.theme.colorScheme);
    port.postMessage(message);
  }
  return { send, close };
}
