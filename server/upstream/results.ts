/**
 * Exports results of Zeppelin's paragraphs. Zeppelin provides the table, this server the formats.
 */
import { isRunning } from '@tiding/client/model';
import type { RestRequest } from '../areas/context.ts';
import { Refusal } from '../base/errors.ts';
import { chooseRange, exported } from '../results/exported.ts';
import { chooseFormat } from '../results/formats.ts';
import { madeAt, partsOf } from '../results/index.ts';
import { TextTable } from '../results/text-table.ts';
import type { UpstreamIdentity } from './identity.ts';
import type { UpstreamNotes } from './notes.ts';

/**
 * Returns the table of `<noteId>.<paragraphId>.<output number>`. Throws like the local export: 404,
 * 403, 409 while it is running, 410 if the result is gone.
 */
export async function exportOf(
  { params, query, header }: RestRequest<'getResult'>,
  who: UpstreamIdentity,
  notes: UpstreamNotes,
): Promise<Response> {
  const { noteId, paragraphId, index } = partsOf(params['resultId'] ?? '');
  const missing = new Refusal(404, 'There is no such result.');
  if (noteId === '') throw missing;
  const format = chooseFormat(query.get('format'), header('Accept'));
  const range = chooseRange(query);
  const paragraph = await notes.paragraph(who, noteId, paragraphId).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? missing : error;
  });
  if (isRunning(paragraph.status))
    throw new Refusal(423, 'The paragraph is running. Download its result when it has finished.');
  const output = paragraph.results?.msg?.[index];
  if (output?.type !== 'TABLE')
    throw new Refusal(410, 'This result is no longer available. Run the paragraph again.');
  const table = new TextTable(output.data);
  const { headers, body } = await exported(madeAt(paragraph), table, format, range);
  return new Response(await body(), { headers });
}
