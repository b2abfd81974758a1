/** A git remote over http: which addresses will do, and the requests to it. */
import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { HttpClient } from 'isomorphic-git';
import { Refusal } from '../errors.ts';

/** Addresses of this machine, of networks that are not the internet, and of nobody. */
const inside = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['2002::', 16],
] as const)
  inside.addSubnet(net, prefix, 'ipv6');

/** Whether an address (not a name) is of this machine or of a private network, in any spelling. */
export function isInside(address: string): boolean {
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(address);
  if (mapped) {
    const [, dotted, high = '0', low = '0'] = mapped;
    const number = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
    return isInside(dotted ?? [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.'));
  }
  const version = isIP(address);
  return version !== 0 && inside.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host);
/** Whether a host is this machine or in its own network, as far as its name tells. */
const isNear = (host: string) => isInside(host) || isLocalhost(host) || !host.includes('.');
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** The address of a remote, if it will do; refuses another with a sentence for people. `allowPrivate`: also in private networks. */
export function checkRemote(text: string, allowPrivate: boolean): URL {
  const refuse = (why: string): never => {
    throw new Refusal(400, why);
  };
  if (/[\s\p{Cc}]/u.test(text)) refuse('The remote URL cannot contain blanks.');
  if (!URL.canParse(text))
    refuse('The remote URL is not an address. It looks like https://github.com/team/notes.git');
  const url = new URL(text);
  // In the clear everybody on the way reads the token: on this machine and in one's own network only.
  const isClear = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(isClear && allowPrivate && isNear(hostOf(url))))
    refuse(
      isClear
        ? 'The remote URL starts with https://; http:// is for this machine and its own network.'
        : 'The remote URL starts with https://.',
    );
  if (url.username !== '' || url.password !== '')
    refuse(
      'The remote URL cannot contain a user name or a password: they have fields of their own.',
    );
  if (url.search !== '' || url.hash !== '') refuse('The remote URL cannot contain ? or #.');
  const host = hostOf(url);
  if (!allowPrivate && (isInside(host) || isLocalhost(host)))
    refuse(
      'The remote URL is of this machine or of a private network. This server does not connect there.',
    );
  return url;
}

/** Most bytes of an answer. */
const MAX_BYTES = 512 * 2 ** 20;

/** Answers a name's addresses, unless one of them is inside. The connection goes to what was checked. */
export const outsideOnly: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    const bad = error ? undefined : addresses.find(({ address }) => isInside(address));
    const failure =
      error ??
      (bad || addresses.length === 0
        ? Object.assign(new Error(`${hostname} is of this machine or of a private network`), {
            code: 'EINSIDE',
          })
        : null);
    if (failure) callback(failure, []);
    else if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  });
};

async function* limited(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the remote sent more than ${MAX_BYTES} bytes`);
    yield chunk;
  }
}

/** git's requests. They end when `signal` aborts; redirects are not followed, so that no secret goes where nobody sent it. */
export function remoteHttp({
  signal,
  allowPrivate,
}: {
  signal: AbortSignal;
  allowPrivate: boolean;
}): HttpClient {
  return {
    async request({ url, method = 'GET', headers = {}, body }) {
      const target = checkedTarget(url, allowPrivate);
      const chunks: Uint8Array[] = [];
      if (body) for await (const chunk of body) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
        const outgoing = send(
          target,
          {
            method,
            signal,
            headers: {
              ...headers,
              ...(method === 'GET' ? {} : { 'Content-Length': content.length }),
            },
            ...(allowPrivate ? {} : { lookup: outsideOnly }),
          },
          resolve,
        );
        outgoing.on('error', reject);
        outgoing.end(content);
      });
      const { statusCode = 0, statusMessage = '', headers: answered } = response;
      if (statusCode >= 300 && statusCode < 400) {
        response.destroy();
        throw new Refusal(
          409,
          `The remote has moved${answered.location ? ` to ${movedTo(answered.location, target)}` : ''}. Save the address it has now.`,
        );
      }
      return {
        url,
        method,
        statusCode,
        statusMessage,
        headers: Object.fromEntries(
          Object.entries(answered).map(([key, value]) => [key, String(value)]),
        ),
        body: limited(response),
      };
    },
  };
}

/** git asks below the saved address (`/info/refs?service=…`). */
function checkedTarget(url: string, allowPrivate: boolean): URL {
  const target = new URL(url);
  checkRemote(target.origin + target.pathname, allowPrivate);
  return target;
}

function movedTo(location: string, from: URL): string {
  if (!URL.canParse(location, from.href)) return 'nowhere';
  const to = new URL(location, from);
  return to.origin + to.pathname.replace(/\/info\/refs$/, '');
}

/** Why a sync failed, for people; never with a secret. */
export function explainFailure(error: unknown, timeLimitMs: number): string {
  const { name, message, code, data } = error as Error & {
    code?: string;
    data?: { statusCode?: number };
  };
  if (error instanceof Refusal) return message;
  if (
    name === 'TimeoutError' ||
    (error as { cause?: { name?: string } }).cause?.name === 'TimeoutError'
  )
    return `The remote did not answer within ${Math.round(timeLimitMs / 1000)} seconds. The request may still be syncing.`;
  if (code === 'HttpError' || name === 'HttpError') {
    const status = data?.statusCode;
    if (status === 401 || status === 403)
      return 'The remote refused the user name or the access token.';
    if (status === 404)
      return 'There is no repository at this address, or the user may not see it.';
    return `The remote answered with status ${status}.`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The host of the remote URL was not found.';
  if (code === 'EINSIDE')
    return 'The remote URL is of this machine or of a private network. This server does not connect there.';
  if (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === 'EHOSTUNREACH' ||
    code === 'ENETUNREACH' ||
    code === 'ETIMEDOUT' ||
    code === 'EPIPE'
  )
    return `The remote could not be reached (${code}).`;
  if (name === 'PushRejectedError')
    return 'The remote was changed by somebody else again and again. Try again.';
  if (name === 'GitPushError') return 'The remote did not take the notes: it refused the branch.';
  if (name === 'SmartHttpError' || name === 'ParseError' || name === 'EmptyServerResponseError')
    return 'There is no git repository at this address.';
  return `The synchronisation failed: ${message}`;
}
