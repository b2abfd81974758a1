/**
 * What all REST calls have in common: their paths, the answer to an error, and the audit log. It
 * gets the calls with an audit event, and every refusal of a known user.
 */

import { jsonObjectOf } from '@tiding/client/model';
import { type EndpointName, endpoints } from '@tiding/client/protocol';
import type { Context, Hono } from 'hono';
import type { GatewayContext } from '../areas/context.ts';
import { ANONYMOUS_USER } from '../auth/users.ts';
import { diskFailure, Refusal } from '../base/errors.ts';
import { UPGRADE_ADVICE } from '../base/version.ts';
import { spellings } from '../http/rest-body.ts';
import {
  enveloped,
  INTERNAL_ERROR_MESSAGE,
  type RestGate,
  sendMessage,
} from '../http/rest-gate.ts';
import type { Audit } from '../logging/audit.ts';

/** A REST call that is being answered. */
interface Call {
  /** The caller, as far as is known; for the audit log. */
  who: string;
  readonly audit: ReturnType<typeof callAuditor>;
}

/** Serves the endpoint table. Errors of `answer` are recorded and sent to the caller. */
export function serveCalls(
  app: Hono,
  door: RestGate,
  { audit, log }: GatewayContext,
  answer: (c: Context, name: EndpointName, call: Call) => Promise<Response>,
): void {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const paths = spellings(name).map((path) => `/api${path}`);
    app.on(endpoints[name].method, paths, async (c) => {
      door.is(c, name);
      const call: Call = { who: '', audit: callAuditor(audit, c, name, door.address(c)) };
      try {
        return await answer(c, name, call);
      } catch (error) {
        if (error instanceof Refusal) {
          // A successful sign-out is answered with 401.
          call.audit(name === 'logout' ? 'ok' : String(error.status), call.who);
          return sendMessage(c, error.status, error.message, error.more);
        }
        log.error({ call: name, error: (error as Error).stack }, 'a call failed');
        const failure = diskFailure(error);
        return sendMessage(c, failure?.status ?? 500, failure?.message ?? INTERNAL_ERROR_MESSAGE);
      }
    });
  }
  // A wrong method is answered like an unknown call: to Zeppelin clients, 405 means 'signed out'.
  app.all('/api/*', (c) => sendMessage(c, 404, `There is no such call. ${UPGRADE_ADVICE}`));
}

/** Sends what the handler of a call returned. */
export function sendAnswer(
  c: Context,
  name: EndpointName,
  status: 200 | 201 | 202,
  answer: unknown,
): Response {
  // Copied so that the response gets the headers of every answer.
  if (answer instanceof Response)
    return c.newResponse(answer.body as ReadableStream | null, answer);
  if (endpoints[name].envelope) return c.json(enveloped(name, status, answer), status);
  return answer === undefined ? c.body(null, 204) : c.json(answer, status);
}

/**
 * Returns what records the outcome of a call, `ok` or the status of its refusal, if it has an audit
 * event or was refused. Ids and names are taken from the body of the request and the answer.
 */
const callAuditor =
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
    const [given, ids] = [jsonObjectOf(body), jsonObjectOf(answer)];
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
