/** Live messages in the audit log. What comes of them is upstream's to know: they are written down as sent, and its refusals as such. */
import { createHash } from 'node:crypto';
import type { Bag, SentOp } from 'tiding/protocol';
import { auditedOperations, type Audit } from '../audit.ts';
import type { Person } from '../auth/permissions.ts';

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Writes a message down, where it is one of those. `outcome`: `sent`, or the status of a refusal. */
export function auditMessage(
  audit: Audit,
  { person, address }: { readonly person: Person | undefined; readonly address: string },
  message: { op: string; data: Bag } | undefined,
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
    op !== undefined && Object.hasOwn(auditedOperations, op)
      ? auditedOperations[op as SentOp]
      : undefined;
  if (event) audit.record(event, { ...who, note: text(data['noteId']), target: text(data['id']) });
}
