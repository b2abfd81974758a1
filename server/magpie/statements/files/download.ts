/**
 * Downloads files over HTTP and HTTPS. Addresses in the server's own network are refused unless
 * they are allowed.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { namesInside, requestOutside } from '../../../base/outside-request.ts';
import { ExecutionError, MetadataError } from '../../contract.ts';

/** Maximum file size in bytes. */
const MAX_BYTES = 2 * 2 ** 30;
const MAX_REDIRECTS = 5;
/** Idle timeout per request, in ms. */
const IDLE_TIMEOUT_MS = 30_000;

interface DownloadOptions {
  /** Whether to allow addresses of this machine and of private networks. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/**
 * Downloads a file and resolves to its media type. Throws if the file is missing, too large or not
 * allowed; no file is left behind in that case.
 */
export async function download(
  address: string,
  file: string,
  options: DownloadOptions,
): Promise<string> {
  try {
    return await read(address, options, MAX_BYTES, async (response, limit) => {
      const output = createWriteStream(file, { mode: 0o600, flags: 'wx' });
      await pipeline(response, limit, output, { signal: options.signal });
      return String(response.headers['content-type'] ?? '')
        .split(';')[0]!
        .trim()
        .toLowerCase();
    });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Downloads a text of at most `maxBytes`. Throws like {@link download}. */
export const downloadText = (
  address: string,
  maxBytes: number,
  options: DownloadOptions,
): Promise<string> =>
  read(address, options, maxBytes, async (response, limit) => {
    const chunks: Buffer[] = [];
    await pipeline(
      response,
      limit,
      async (parts) => {
        for await (const part of parts) chunks.push(part as Buffer);
      },
      { signal: options.signal },
    );
    return Buffer.concat(chunks).toString();
  });

/** Requests an address, follows redirects, and reads the body through a limit of its size. */
async function read(
  address: string,
  { allowPrivate, signal }: DownloadOptions,
  maxBytes: number,
  consume: (response: IncomingMessage, limit: Transform) => Promise<string>,
): Promise<string> {
  let url = checked(address, allowPrivate);
  try {
    for (let hops = 0; ; hops += 1) {
      const response = await requestOutside(url, {
        signal,
        allowPrivate,
        timeout: IDLE_TIMEOUT_MS,
        idleError: new ExecutionError(`${url.host} did not respond.`),
      });
      const { statusCode = 0, headers } = response;
      if (
        statusCode >= 300 &&
        statusCode < 400 &&
        headers.location !== undefined &&
        hops < MAX_REDIRECTS
      ) {
        response.destroy();
        url = checked(new URL(headers.location, url).href, allowPrivate);
        continue;
      }
      if (statusCode !== 200) {
        response.destroy();
        throw new ExecutionError(
          `${url.host} responded with status ${statusCode} for ${url.pathname}.`,
        );
      }
      return await consume(response, limited(maxBytes));
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExecutionError || error instanceof MetadataError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'EINSIDE'
      ? inside(url)
      : new ExecutionError(
          `The file could not be downloaded from ${url.host}: ${code ?? message}.`,
        );
  }
}

const sizeText = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MB` : `${bytes / 2 ** 30} GiB`;

function limited(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      done(
        size > maxBytes
          ? new ExecutionError(`The file is larger than ${sizeText(maxBytes)}.`)
          : null,
        chunk,
      );
    },
  });
}

const inside = (url: URL) =>
  new MetadataError(
    `${url.host} is this machine or in a private network. ` +
      'This server does not fetch files from there. An administrator can start it with ' +
      '--allow-private-fetch.',
  );

function checked(address: string, allowPrivate: boolean): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new MetadataError(`A URL must start with http:// or https://: ${address}`);
  if (url.username !== '' || url.password !== '')
    throw new MetadataError('A URL cannot contain a user name or a password.');
  if (!allowPrivate && namesInside(url)) throw inside(url);
  return url;
}
