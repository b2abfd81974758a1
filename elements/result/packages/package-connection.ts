/**
 * Connects to the sandboxed page of a package: the same handshake as output frames, with different
 * messages.
 */
import type { Client } from '@tiding/client';
import { MAX_MESSAGE_CHARACTERS } from '../frame-page/protocol.ts';
import { frameBase, sendColorScheme } from '../frames/frame-address.ts';
import {
  type ChannelEvents,
  type FrameChannel,
  openFrameChannel,
} from '../frames/frame-channel.ts';
import type { ToPackage } from '../package-page/protocol.ts';
import { type FromPackage, readPackageMessage } from './package-messages.ts';

/** Events of a package's frame. */
interface PackageEvents extends Pick<ChannelEvents, 'onEnd'> {
  onMessage(message: FromPackage): void;
}

export interface PackageConnection extends Pick<FrameChannel, 'check' | 'close'> {
  /** Sends a message; queued until the frame is ready. */
  send(message: ToPackage): void;
}

/** Returns the URL of the page in which packages of a client's server run. */
export const packageFrameUrl = (client: Client): string => `${frameBase(client)}/package-frame/1`;

/** Connects to a frame whose page is about to load. */
export function connectPackage(
  frame: HTMLIFrameElement,
  { onMessage, onEnd }: PackageEvents,
): PackageConnection {
  const waiting: ToPackage[] = [];
  const channel = openFrameChannel(frame, 1, {
    onOpen() {
      for (const message of waiting.splice(0)) send(message);
    },
    onMessage(data) {
      const message = readPackageMessage(data, MAX_MESSAGE_CHARACTERS);
      if (message?.type === 'open-link')
        channel.check((byReader) => byReader && onMessage(message));
      else if (message) onMessage(message);
    },
    onEnd,
  });
  function send(message: ToPackage): void {
    if (!channel.isOpen) return void waiting.push(message);
    if (message.type === 'show' || message.type === 'theme')
      sendColorScheme(frame, message.theme.colorScheme);
    channel.send(message);
  }
  return { send, check: channel.check, close: channel.close };
}
