/** Exported results and uploaded files. */
import { Readable } from 'node:stream';
import type { GatewayContext, RestHandlers, RestRequest, ServerContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import { fileHeaders } from '../../results/download.ts';
import { chooseRange, type Exported, exported } from '../../results/exported.ts';
import { keepFile, openFile } from '../../results/files.ts';
import { chooseFormat } from '../../results/formats.ts';
import { findResult } from '../../results/index.ts';
import { findExport } from '../../results/statement-exports.ts';

const find = async (
  { params, query, person, header }: RestRequest<'getResult'> | RestRequest<'checkResult'>,
  context: ServerContext,
): Promise<Exported> => {
  const made = await findExport(params['resultId'] ?? '', person, context);
  if (made) return made;
  const { info, table } = findResult(params['resultId'] ?? '', person, context);
  return exported(
    info,
    table,
    chooseFormat(query.get('format'), header('Accept')),
    chooseRange(query),
  );
};

/** REST handlers for results and files. */
export const resultsRest = {
  checkResult: async (request, context) =>
    new Response(null, { headers: (await find(request, context)).headers }),
  getResult: async (request, context) => {
    const { headers, body } = await find(request, context);
    return new Response(await body(), { headers });
  },
  putFile: async ({ params, body, person }, { files, notes, permissions }) => {
    if (body.noteId !== undefined) notes.get(body.noteId);
    const { folder, prefix } = files.uploadTo(body, person, permissions);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body.data))
      throw new Refusal(400, 'The file must be encoded in base64.');
    const kept = await keepFile(folder, params['name'] ?? '', Buffer.from(body.data, 'base64'));
    return { ...kept, path: prefix + kept.path };
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
