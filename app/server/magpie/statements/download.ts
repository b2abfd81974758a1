/** Files from addresses: over http and https, and nowhere inside of the server's own network unless that is allowed. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isInside, outsideOnly } from '../../revisions/remote.ts';
import { ExecutionError, MetadataError } from '../contract.ts';

/** Most bytes of a file. */
const MAX_BYTES = 2 * 2 ** 30;
const MAX_REDIRECTS = 5;
/** Silence after which a host is given up, in ms. */
const SILENCE_MS = 30_000;

/** How a file is fetched. */
export interface DownloadOptions {
  /** Whether addresses of this machine and of private networks may be asked. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

/** Fetches a file; resolves to its media type. Throws with a sentence where it is not there, too long or not allowed; then there is no file. */
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
          `${url.host} answered with status ${statusCode} for ${url.pathname}.`,
        );
      }
      let size = 0;
      const limit = new Transform({
        transform(chunk: Buffer, _, done) {
          size += chunk.length;
          done(
            size > MAX_BYTES
              ? new ExecutionError(`The file is longer than ${MAX_BYTES / 2 ** 30} GiB.`)
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
      : new ExecutionError(`${url.host} could not be asked for the file: ${code ?? message}.`);
  }
}

const inside = (url: URL) =>
  new MetadataError(
    `${url.host} is this machine or in a private network, where this server fetches nothing from.`,
  );

function checked(address: string, allowPrivate: boolean): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new MetadataError(`An address starts with http:// or https://: ${address}`);
  if (url.username !== '' || url.password !== '')
    throw new MetadataError('An address cannot contain a user name or a password.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && (isInside(host) || /(^|\.)localhost\.?$/i.test(host))) throw inside(url);
  return url;
}

function ask(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const outgoing = send(
      url,
      { signal, timeout: SILENCE_MS, ...(allowPrivate ? {} : { lookup: outsideOnly }) },
      resolve,
    );
    outgoing.on('timeout', () =>
      outgoing.destroy(new ExecutionError(`${url.host} did not answer.`)),
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}
