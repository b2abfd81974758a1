/** Who somebody is at upstream, read from its answers. */
import type { IncomingMessage } from 'node:http';

/** How somebody is known at upstream. */
export interface UpstreamIdentity {
  readonly principal: string;
  readonly ticket: string;
  /** JSON text of a list. */
  readonly roles: string;
  /** The header `Cookie` of the session; '' where nobody signs in. */
  readonly cookie: string;
}

/** Whether an answer sends to the page that signs in: the session is over. */
export function asksForSignIn({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400 && /\/login(?:[;?#]|$)/.test(headers.location ?? '');
}

/** From the answer of a sign-in, or of a question for the ticket; `undefined`: it has none. */
export function identityOf(json: unknown, cookie: string): UpstreamIdentity | undefined {
  const { principal, ticket, roles } = ((json as { body?: unknown } | undefined)?.body ??
    {}) as Record<string, unknown>;
  if (
    typeof principal !== 'string' ||
    typeof ticket !== 'string' ||
    principal === '' ||
    ticket === ''
  )
    return undefined;
  return {
    principal,
    ticket,
    cookie,
    roles: typeof roles === 'string' ? roles : JSON.stringify(roles ?? []),
  };
}

/** `Cookie` from `Set-Cookie`: of each name the last that is not taken away again. */
export function cookiesOf({ headers }: IncomingMessage): string {
  const cookies = new Map<string, string>();
  for (const line of headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^\s*([^=;\s]+)=([^;]*)/.exec(line) ?? [];
    if (name !== '' && value !== '' && value !== 'deleteMe') cookies.set(name, value);
  }
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
