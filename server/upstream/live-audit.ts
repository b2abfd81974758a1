/**
 * Records live messages in the audit log. Only Zeppelin knows their outcome, so they are recorded
 * as sent, and rejections by this server with their status.
 */
import { createHash } from 'node:crypto';
import { type JsonObject, type SentOp, sentOperations } from '@tiding/client/protocol';
import type { ActingUser } from '../auth/permissions.ts';
import type { Audit } from '../logging/audit.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * Records a message if its operation is audited. `outcome` is `sent`, or the status of a rejection.
 */
export function auditMessage(
  audit: Audit,
  { person, address }: { readonly person: ActingUser | undefined; readonly address: string },
  message: { op: string; data: JsonObject } | undefined,
  outcome: string,
): void {
  const { op, data = {} } = message ?? {};
  const who = { principal: person?.principal, address, command: op, outcome };
  if (outcome !== 'sent') return audit.record('refused', who);
  if (op === 'RUN_PARAGRAPH') {
    const code = text(data['paragraph']);
    return audit.record('run', {
      ...who,
      note: person?.embed?.noteId,
      paragraph: text(data['id']),
      ...(code === undefined ? {} : { code: createHash('sha256').update(code).digest('hex') }),
    });
  }
  if (op === 'RUN_ALL_PARAGRAPHS')
    return audit.record('run', { ...who, note: text(data['noteId']) });
  const event =
    op !== undefined && Object.hasOwn(sentOperations, op)
      ? sentOperations[op as SentOp].audit
      : undefined;
  if (event) audit.record(event, { ...who, note: text(data['noteId']), target: text(data['id']) });
}
