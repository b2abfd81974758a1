import type { Client } from '@tiding/client';

/**
 * Attributes that restrict a frame to running scripts, without access to the page or other
 * permissions.
 */
export const isolated = {
  sandbox: 'allow-scripts',
  allow: '',
  referrerPolicy: 'no-referrer',
} as const;

/**
 * Returns the start of the addresses of a server's frames. On a page of another origin, the server
 * puts a page with a policy around the frame, so that untrusted HTML can't lead the frame to
 * another address.
 */
export function frameBase({ server }: Pick<Client, 'server'>): string {
  const { origin } = new URL(server, document.baseURI);
  return origin === window.location.origin ? server : `${server}/nested`;
}

/**
 * Sends the colour scheme to the page around a frame, if any: a page with another scheme would
 * paint an opaque background behind the frame.
 */
export function sendColorScheme(frame: HTMLIFrameElement, colorScheme: 'light' | 'dark'): void {
  frame.contentWindow?.postMessage({ type: 'scheme', colorScheme }, '*');
}
