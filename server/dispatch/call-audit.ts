/**
 * Records REST calls in the audit log: those with an audit event, and every refusal of a known
 * user.
 */

import { type EndpointName, endpoints } from '@tiding/client/protocol';
import type { Context } from 'hono';
import { ANONYMOUS_USER } from '../auth/users.ts';
import type { Audit } from '../logging/audit.ts';

const objectOf = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;

/**
 * Returns what records the outcome of a call, `ok` or the status of its refusal, if it has an audit
 * event or was refused. Ids and names are taken from the body of the request and the answer.
 */
export const callAuditor =
  (audit: Audit, c: Context, name: EndpointName, address: string) =>
  (outcome: string, principal: string, body?: unknown, answer?: unknown): void => {
    const event =
      name === 'logout' && principal === ANONYMOUS_USER ? undefined : endpoints[name].audit;
    const isRefusal =
      outcome === '403' ||
      outcome === '429' ||
      (outcome === '401' && c.req.header('Authorization') !== undefined);
    if (!event && !isRefusal) return;
    const params = c.req.param() as Record<string, string>;
    const { resetToken: _secret, noteId, paragraphId, ...others } = params;
    const [given, ids] = [objectOf(body), objectOf(answer)];
    const target = [
      Object.values(others).join(' '),
      ids['jti'],
      ids['tokenId'],
      given['entity'],
      given['name'],
    ].find((each) => typeof each === 'string' && each !== '');
    audit.record(outcome === 'ok' ? event! : event ? `${event}-failed` : 'refused', {
      principal,
      address,
      command: name,
      note: noteId ?? (typeof given['noteId'] === 'string' ? given['noteId'] : undefined),
      paragraph: paragraphId,
      target: target as string | undefined,
      roles: Array.isArray(given['roles']) ? given['roles'].join(' ') : undefined,
      outcome,
    });
  };
