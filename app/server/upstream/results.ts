/** Exported results of a Zeppelin's paragraphs: upstream has the table, the formats are ours. */
import { isRunning, parseDate } from 'tiding/model';
import { Refusal } from '../errors.ts';
import type { RestRequest } from '../context.ts';
import { chooseRange, exported } from '../results/exported.ts';
import { chooseFormat } from '../results/formats.ts';
import type { ResultInfo } from '../results/index.ts';
import { tableSource } from '../results/rows.ts';
import type { UpstreamNotes } from './notes.ts';
import type { UpstreamIdentity } from './identity.ts';

const idShape = /^([0-9A-Za-z_-]{1,64})\.([0-9A-Za-z_-]{1,64})\.(0|[1-9]\d{0,3})$/;

/** The table of `<noteId>.<paragraphId>.<number of the output>`. Refuses as our own export does: 404, 403, 409 while it runs, 410 where it is gone. */
export async function exportOf(
  { params, query, header }: RestRequest<'getResult'>,
  who: UpstreamIdentity,
  notes: UpstreamNotes,
): Promise<Response> {
  const resultId = params['resultId'] ?? '';
  const [, noteId = '', paragraphId = '', number = ''] = idShape.exec(resultId) ?? [];
  const missing = new Refusal(404, 'There is no such result.');
  if (noteId === '') throw missing;
  const format = chooseFormat(query.get('format'), header('Accept'));
  const range = chooseRange(query);
  const paragraph = await notes.paragraph(who, noteId, paragraphId).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? missing : error;
  });
  if (isRunning(paragraph.status))
    throw new Refusal(409, 'The paragraph is running: its result is still being written.');
  const output = paragraph.results?.msg?.[Number(number)];
  if (output?.type !== 'TABLE')
    throw new Refusal(410, 'This result is gone: run the paragraph again.');
  const created =
    parseDate(paragraph.dateFinished) ?? parseDate(paragraph.dateUpdated) ?? new Date(0);
  const info: ResultInfo = {
    resultId,
    noteId,
    paragraphId,
    index: Number(number),
    format: 'DelimitedText',
    createTimestamp: created.toISOString(),
  };
  const { headers, body } = await exported(info, tableSource(output.data), format, range);
  return new Response(await body(), { headers });
}
