/** Reads a user's Zeppelin identity from Zeppelin's responses. */
import type { IncomingMessage } from 'node:http';
import { jsonObjectOf } from '@tiding/client/model';

/** A user's identity at Zeppelin. */
export interface UpstreamIdentity {
  readonly principal: string;
  readonly ticket: string;
  /** JSON array as text. */
  readonly roles: string;
  /** `Cookie` header of the session; '' if Zeppelin has no accounts. */
  readonly cookie: string;
}

/**
 * Returns whether a response redirects to the sign-in page, which means that the session has ended.
 */
export function redirectsToSignIn({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400 && /\/login(?:[;?#]|$)/.test(headers.location ?? '');
}

/**
 * Returns the identity from the response to a sign-in or a ticket request; `undefined` if it
 * contains none.
 */
export function identityOf(json: unknown, cookie: string): UpstreamIdentity | undefined {
  const { principal, ticket, roles } = jsonObjectOf(jsonObjectOf(json)['body']);
  if (typeof principal !== 'string' || typeof ticket !== 'string') return undefined;
  if (principal === '' || ticket === '') return undefined;
  const list = typeof roles === 'string' ? roles : JSON.stringify(roles ?? []);
  return { principal, ticket, cookie, roles: list };
}

/**
 * Builds a `Cookie` header from `Set-Cookie` headers: the last value of each name, without removed
 * ones.
 */
export function cookiesOf({ headers }: IncomingMessage): string {
  const cookies = new Map<string, string>();
  for (const line of headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
    if (name !== '' && value !== '' && value !== 'deleteMe') cookies.set(name, value);
  }
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
