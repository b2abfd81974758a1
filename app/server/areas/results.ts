/** Exported results and files. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { RestHandlers, RestRequest, ServerContext } from '../context.ts';
import { fileHeaders } from '../results/download.ts';
import { openFile } from '../results/files.ts';
import { chooseFormat } from '../results/formats.ts';
import { findResult, resultFileName } from '../results/index.ts';
import { streamed } from '../results/stream.ts';

/** The export's headers, and what makes its body. */
async function exported({ params, query, person, header }: RestRequest<'getResult'> | RestRequest<'checkResult'>, context: ServerContext) {
  const { info, table } = findResult(params['resultId'] ?? '', person, context);
  const format = chooseFormat(query.get('format'), header('Accept'));
  format.check?.(table);
  const length = await format.length?.(table);
  return {
    headers: {
      ...fileHeaders(resultFileName(info, format), format.type), Vary: 'Origin, Accept',
      // Where it is not known, the last piece says that it was the last: an export that breaks off is seen to.
      ...(length === undefined ? {} : { 'Content-Length': String(length) }),
    },
    pieces: () => format.write(table),
  };
}

/** REST calls. */
export const resultsRest = {
  checkResult: async (request, context) => new Response(null, { headers: (await exported(request, context)).headers }),
  getResult: async (request, context) => {
    const { headers, pieces } = await exported(request, context);
    return new Response(await streamed(pieces()), { headers });
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
