/**
 * Downloads files over HTTP and HTTPS. Addresses in the server's own network are refused unless
 * they are allowed.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isInside, outsideOnly } from '../../../revisions/remote.ts';
import { ExecutionError, MetadataError } from '../../contract.ts';

/** Maximum file size in bytes. */
const MAX_BYTES = 2 * 2 ** 30;
const MAX_REDIRECTS = 5;
/** Idle timeout per request, in ms. */
const IDLE_TIMEOUT_MS = 30_000;

/** Options of {@link download}. */
export interface DownloadOptions {
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
  { allowPrivate, signal }: DownloadOptions,
): Promise<string> {
  let url = checked(address, allowPrivate);
  try {
    for (let hops = 0; ; hops += 1) {
      const response = await ask(url, allowPrivate, signal);
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
      let size = 0;
      const limit = new Transform({
        transform(chunk: Buffer, _, done) {
          size += chunk.length;
          done(
            size > MAX_BYTES
              ? new ExecutionError(`The file is larger than ${MAX_BYTES / 2 ** 30} GiB.`)
              : null,
            chunk,
          );
        },
      });
      await pipeline(response, limit, createWriteStream(file, { mode: 0o600, flags: 'wx' }), {
        signal,
      });
      return String(headers['content-type'] ?? '')
        .split(';')[0]!
        .trim()
        .toLowerCase();
    }
  } catch (error) {
    await rm(file, { force: true });
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
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && (isInside(host) || /(^|\.)localhost\.?$/i.test(host))) throw inside(url);
  return url;
}

function ask(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(
      url,
      { signal, timeout: IDLE_TIMEOUT_MS, ...(allowPrivate ? {} : { lookup: outsideOnly }) },
      resolve,
    );
    outgoing.on('timeout', () =>
      outgoing.destroy(new ExecutionError(`${url.host} did not respond.`)),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}
