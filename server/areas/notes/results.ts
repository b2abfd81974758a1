/** Exported results and downloads of files. */
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { includesScope, type Note } from '@tiding/client/protocol';
import { visibleAnswer } from '../../auth/embed-access.ts';
import { Refusal } from '../../base/errors.ts';
import { openFile } from '../../files/open-file.ts';
import { findExport } from '../../magpie/statement-exports.ts';
import { wireNote } from '../../notes/note.ts';
import { DatabaseTable } from '../../results/database/database-table.ts';
import { fileHeaders } from '../../results/download.ts';
import { chooseRange, type Exported, exported } from '../../results/exported.ts';
import { type FirstViewAnswer, firstViewOf, isLook } from '../../results/first-view.ts';
import { chooseFormat } from '../../results/formats.ts';
import { findResult } from '../../results/index.ts';
import {
  MAX_PARAGRAPHS,
  type ParagraphData,
  paragraphDataOf,
} from '../../results/paragraph-data.ts';
import type { GatewayContext, RestHandlers, RestRequest, ServerContext } from '../context.ts';

const find = async (
  { params, query, person, header }: RestRequest<'getResult'> | RestRequest<'checkResult'>,
  context: ServerContext,
): Promise<Exported> => {
  const id = params['resultId'] ?? '';
  const found = await findExport(id, person, context);
  if (found) return found;
  const { made, table } = findResult(id, person, context, query.get('previous') === 'true');
  const format = chooseFormat(query.get('format'), header('Accept'));
  return exported(made, table, format, chooseRange(query));
};

const compressed = promisify(gzip);

export const resultsRest = {
  getFirstViews: async ({ params, body, person: { embed }, header }, { notes, results }) => {
    const note = notes.get(params['noteId'] ?? '');
    // Others can run the paragraphs or change them, for which their pages need the code anyway.
    const isRead = embed && !includesScope(embed.scope, 'run');
    if (body.views.filter(({ look }) => look === 'data').length > MAX_PARAGRAPHS)
      throw new Refusal(400, `Ask for the data of at most ${MAX_PARAGRAPHS} paragraphs at once.`);
    const made = await Promise.all(
      body.views.map(
        async ({ paragraphId, look, ...view }): Promise<FirstViewAnswer & ParagraphData> => {
          const paragraph = note.paragraphs.find(({ id }) => id === paragraphId);
          if (!paragraph || (embed?.paragraphId ?? paragraphId) !== paragraphId) return {};
          const place = { ...view, noteId: note.id, paragraph, results };
          if (look === 'data') return paragraphDataOf({ ...place, embed });
          return isRead && isLook(look) ? firstViewOf({ ...place, look, embed }) : {};
        },
      ),
    );
    const sheets = [...new Set(made.flatMap(({ css }) => css ?? []))];
    const views = made.map(({ css, ...view }) =>
      css === undefined ? view : { ...view, css: sheets.indexOf(css) },
    );
    const { path } = embed ? (visibleAnswer('getNote', wireNote(note), embed) as Note) : {};
    const answer = JSON.stringify({ path, sheets, views });
    const headers = { 'Content-Type': 'application/json' };
    // It has no secret of the session, which its compressed length could reveal.
    return /\bgzip\b/.test(header('Accept-Encoding') ?? '')
      ? new Response(await compressed(answer), {
          headers: { ...headers, 'Content-Encoding': 'gzip', Vary: 'Origin, Accept-Encoding' },
        })
      : new Response(answer, { headers });
  },
  checkResult: async (request, context) =>
    new Response(null, { headers: (await find(request, context)).headers }),
  getResult: async (request, context) => {
    const { headers, body } = await find(request, context);
    return new Response(await body(), { headers });
  },
  queryResult: async ({ params, body, person, signal }, context) => {
    const { table } = findResult(params['resultId'] ?? '', person, context, true);
    if (!(table instanceof DatabaseTable))
      throw new Refusal(
        409,
        'This result is small, so its rows are not queried on the server. Read all of them.',
      );
    return new Response(Buffer.from(await table.query(body, signal)), {
      headers: { 'Content-Type': 'application/vnd.apache.arrow.stream' },
    });
  },
} satisfies Partial<RestHandlers>;

/** REST handlers that download uploaded files. */
export const fileDownloadRest = {
  getFile: async ({ body, person }, { files, ...context }) => {
    // In front of a Zeppelin there are no notes.
    const { permissions } = context as Partial<ServerContext>;
    const { folder, path } = await files.locate(body.file.path, person, permissions);
    const { handle, size, name } = await openFile(folder, path);
    const headers = {
      ...fileHeaders(name, 'application/octet-stream'),
      'Content-Length': String(size),
    };
    if (size === 0) {
      await handle.close();
      return new Response(null, { headers });
    }
    // Sends exactly the announced length, even if the file grows meanwhile.
    return new Response(
      Readable.toWeb(
        handle.createReadStream({ start: 0, end: size - 1 }),
      ) as ReadableStream<Uint8Array>,
      { headers },
    );
  },
} satisfies Partial<RestHandlers<GatewayContext>>;
