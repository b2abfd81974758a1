/** Paragraphs of a received note that do not fit the protocol. */
import { isJsonObject } from '../model/json-object.ts';
import { type JsonObject, paragraph as paragraphSchema } from '../protocol/index.ts';

/** Returns a disabled paragraph that shows the raw content of one that does not fit. */
function damaged(raw: unknown, index: number): JsonObject {
  const { error } = paragraphSchema.safeParse(raw);
  const [issue] = error?.issues ?? [];
  if (!issue) return raw as JsonObject;
  const id = isJsonObject(raw) && typeof raw['id'] === 'string' ? raw['id'] : `damaged_${index}`;
  return {
    id,
    text: JSON.stringify(raw, null, 2),
    status: 'ERROR',
    errorMessage:
      `This paragraph is damaged: ${issue.path.join('.')} has the wrong type. ` +
      'Its stored content is shown as it is.',
    config: { enabled: false },
  };
}

/**
 * Replaces the paragraphs of a message's note that do not fit the protocol by damaged ones, so that
 * the others can be read. Returns `undefined` if the message has no such note.
 */
export function withDamagedParagraphs(data: unknown): JsonObject | undefined {
  const note = isJsonObject(data) ? data['note'] : undefined;
  if (!isJsonObject(data) || !isJsonObject(note) || !Array.isArray(note['paragraphs']))
    return undefined;
  return { ...data, note: { ...note, paragraphs: note['paragraphs'].map(damaged) } };
}
