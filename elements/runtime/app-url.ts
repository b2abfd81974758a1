import type { Client } from '@tiding/client';

/** URL of the app: this page if it runs the app, otherwise the server's. */
export function appUrl(client: Client): string {
  return client.server === location.origin + location.pathname.replace(/\/+$/, '')
    ? ''
    : `${client.server}/`;
}
