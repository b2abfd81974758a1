/** Git remotes over HTTP: validation of addresses, and requests. */
import type { HttpClient } from 'isomorphic-git';
import { readAtMost } from '../base/bytes.ts';
import { Refusal } from '../base/errors.ts';
import { namesInside, requestOutside } from '../base/outside-request.ts';
import { checkPack, storePack } from './pack.ts';

/** Returns whether a host is this machine or in its network, judging by its name. */
const isNear = (url: URL) => namesInside(url) || !url.hostname.includes('.');

/**
 * Returns the URL of a remote if it is acceptable; throws a refusal with a user-readable message
 * otherwise. `allowPrivate`: also accept private networks.
 */
export function checkRemote(text: string, allowPrivate: boolean): URL {
  const refuse = (why: string): never => {
    throw new Refusal(400, why);
  };
  if (/[\s\p{Cc}]/u.test(text))
    refuse('The remote URL cannot contain spaces or control characters.');
  if (!URL.canParse(text))
    refuse('The remote URL is invalid. Use a form such as https://github.com/team/notes.git');
  const url = new URL(text);
  // Without TLS everybody on the network path can read the token, so http is for this machine and
  // the local network only.
  const isClear = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(isClear && allowPrivate && isNear(url)))
    refuse(
      isClear
        ? 'The remote URL must start with https://. ' +
            'Only hosts on this machine and its network may use http://.'
        : 'The remote URL must start with https://.',
    );
  if (url.username !== '' || url.password !== '')
    refuse(
      'The remote URL cannot contain a user name or a password. Enter them in their own fields.',
    );
  if (url.search !== '' || url.hash !== '') refuse('The remote URL cannot contain ? or #.');
  if (!allowPrivate && namesInside(url))
    refuse(
      'The remote URL points to this machine or a private network. ' +
        'This server does not connect to such addresses.',
    );
  return url;
}

/** Maximum size of a response, in bytes. */
const MAX_BYTES = 512 * 2 ** 20;
/** Size of a pack without objects, in bytes. */
const EMPTY_PACK = 32;
/** Maximum size of the list of branches, in bytes. */
const MAX_LIST_BYTES = 8 * 2 ** 20;

/**
 * HTTP client for git. Requests end when `signal` aborts. Redirects are not followed, so that the
 * token is sent only to the configured host. A pack in an answer is checked and stored in the
 * repository at `gitdir`; git gets the rest of the answer.
 */
export function remoteHttp({
  signal,
  allowPrivate,
  gitdir,
}: {
  signal: AbortSignal;
  allowPrivate: boolean;
  gitdir: string;
}): HttpClient {
  return {
    async request({ url, method = 'GET', headers = {}, body }) {
      const target = checkedTarget(url, allowPrivate);
      const chunks: Uint8Array[] = [];
      if (body) for await (const chunk of body) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      const length = method === 'GET' ? {} : { 'Content-Length': content.length };
      const response = await requestOutside(
        target,
        { method, signal, headers: { ...headers, ...length }, allowPrivate },
        content,
      );
      const { statusCode = 0, statusMessage = '', headers: answered } = response;
      if (statusCode >= 300 && statusCode < 400) {
        response.destroy();
        throw new Refusal(
          409,
          'The remote has moved' +
            `${answered.location ? ` to ${movedTo(answered.location, target)}` : ''}. ` +
            'Save its new address.',
        );
      }
      const most = target.pathname.endsWith('/info/refs') ? MAX_LIST_BYTES : MAX_BYTES;
      let answer = await readAtMost(
        response,
        most,
        () => new Refusal(409, `The remote sent more than ${most / 2 ** 20} MB.`),
      );
      if (target.pathname.endsWith('/git-upload-pack')) {
        const { pack, lines } = await checkPack(answer, signal);
        if (pack.length > EMPTY_PACK) await storePack(gitdir, pack, signal);
        answer = lines;
      }
      return {
        url,
        method,
        statusCode,
        statusMessage,
        headers: Object.fromEntries(
          Object.entries(answered).map(([key, value]) => [key, String(value)]),
        ),
        body: (async function* () {
          yield answer;
        })(),
      };
    },
  };
}

/** Git requests paths below the saved URL (`/info/refs?service=…`). */
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

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);

/** Explains why a synchronization failed, without secrets. */
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
    return (
      `The remote did not answer within ${Math.round(timeLimitMs / 1000)} seconds. ` +
      'The request may still be syncing.'
    );
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
    return (
      'The remote URL points to this machine or a private network. ' +
      'This server does not connect to such addresses.'
    );
  if (code !== undefined && UNREACHABLE.has(code))
    return `The remote could not be reached (${code}).`;
  if (name === 'PushRejectedError')
    return 'Other changes to the remote kept interfering. Try again.';
  if (name === 'GitPushError') return 'The remote rejected the notes: it refused the branch.';
  if (name === 'SmartHttpError' || name === 'ParseError' || name === 'EmptyServerResponseError')
    return 'There is no git repository at this address.';
  return `The synchronization failed: ${message}`;
}
