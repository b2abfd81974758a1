/** Exported results and files. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { RestHandlers, RestRequest, ServerContext } from '../context.ts';
import { fileHeaders } from '../results/download.ts';
import { keepFile, openFile } from '../results/files.ts';
import { Refusal } from '../errors.ts';
import { chooseFormat } from '../results/formats.ts';
import { findResult, resultFileName } from '../results/index.ts';

async function exported({ params, query, person, header }: RestRequest<'getResult'> | RestRequest<'checkResult'>, context: ServerContext): Promise<Response> {
  const { info, table } = findResult(params['resultId'] ?? '', person, context);
  const format = chooseFormat(query.get('format'), header('Accept'));
  // All of it before it is sent, for its length: stored outputs are limited, and an export that breaks off is seen to.
  const pieces: Uint8Array[] = [];
  for await (const piece of format.write(table)) pieces.push(piece);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const body = Readable.toWeb(Readable.from(pieces, { objectMode: false }));
  return new Response(body as ReadableStream<Uint8Array>, {
    headers: { ...fileHeaders(resultFileName(info, format), format.type), 'Content-Length': String(length), Vary: 'Origin, Accept' },
  });
}

/** REST calls. */
export const resultsRest = {
  checkResult: exported,
  getResult: exported,
  putFile: async ({ params, body }, { options }) => {
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body.data)) throw new Refusal(400, 'The file is not written in base64.');
    return keepFile(join(options.data, 'files'), params['name'] ?? '', Buffer.from(body.data, 'base64'));
  },
  getFile: async ({ body }, { options }) => {
    const { handle, size, name } = await openFile(join(options.data, 'files'), body.file.path);
    const headers = { ...fileHeaders(name, 'application/octet-stream'), 'Content-Length': String(size) };
    if (size === 0) {
      await handle.close();
      return new Response(null, { headers });
    }
    // As long as was told, also where somebody writes at its end.
    return new Response(Readable.toWeb(handle.createReadStream({ start: 0, end: size - 1 })) as ReadableStream<Uint8Array>, { headers });
  },
} satisfies Partial<RestHandlers>;
