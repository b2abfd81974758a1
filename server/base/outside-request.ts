/** Requests to addresses that users enter. */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isInside, outsideOnly } from './private-network.ts';

/** Returns whether the host of a URL, unresolved, is this machine or in a private network. */
export function namesInside({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isInside(host) || /(^|\.)localhost\.?$/i.test(host);
}

interface OutsideOptions extends RequestOptions {
  /** Whether to connect to private networks too. If not, they are refused with the code EINSIDE. */
  readonly allowPrivate: boolean;
  /** The failure of a request without traffic for the time in `timeout`. */
  readonly idleError?: Error;
}

/** Sends a request. Resolves to its response; redirects are not followed. */
export function requestOutside(
  url: URL,
  { allowPrivate, idleError, ...options }: OutsideOptions,
  body?: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const guard = allowPrivate ? {} : { lookup: outsideOnly };
    const outgoing = send(url, { ...options, ...guard }, resolve);
    outgoing.on('timeout', () => outgoing.destroy(idleError));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
