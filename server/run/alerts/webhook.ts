/** Requests to addresses that users enter as the webhook of a schedule. */
import { Refusal } from '../../base/errors.ts';
import { namesInside, requestOutside } from '../../base/outside-request.ts';

/** Time limit of a request, in ms. */
const TIMEOUT_MS = 10_000;
const INSIDE =
  'The webhook is this machine or in a private network. This server does not connect to such ' +
  'addresses. An administrator can start it with --allow-private-fetch.';

/**
 * Returns the address of a webhook; throws a refusal if it is not acceptable. `allowPrivate`: also
 * accept private networks, and `http:`.
 */
export function checkWebhook(text: string, allowPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && !(allowPrivate && url?.protocol === 'http:'))
    throw new Refusal(400, 'The webhook must start with https://.');
  if (url.username !== '' || url.password !== '')
    throw new Refusal(400, 'The webhook cannot contain a user name or a password.');
  if (!allowPrivate && namesInside(url)) throw new Refusal(400, INSIDE);
  return url;
}

/**
 * Posts JSON to a webhook. Redirects are not followed, and the answer is not read. Rejects with a
 * reason that names the host at most, because the path of a webhook is often a secret.
 */
export async function postWebhook(
  address: string,
  json: object,
  { allowPrivate, signal }: { allowPrivate: boolean; signal: AbortSignal },
): Promise<void> {
  const url = checkWebhook(address, allowPrivate);
  const body = Buffer.from(JSON.stringify(json));
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  const response = await requestOutside(
    url,
    {
      method: 'POST',
      signal: AbortSignal.any([signal, limit]),
      headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
      allowPrivate,
    },
    body,
  ).catch((error: NodeJS.ErrnoException) => {
    if (limit.aborted) throw new Error(`${url.host} did not answer within ${TIMEOUT_MS / 1000} s.`);
    throw new Error(
      error.code === 'EINSIDE' ? INSIDE : `${url.host} could not be reached (${error.code}).`,
    );
  });
  response.destroy();
  const { statusCode: status } = response;
  if (status === undefined || status < 200 || status > 299)
    throw new Error(`${url.host} answered with status ${status}.`);
}
