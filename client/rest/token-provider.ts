import { TidingError } from '../core/errors.ts';

/**
 * How the client authenticates.
 *
 * - `cookie` (default): the browser's session cookie; in Node.js, the cookie that `session.login`
 * received.
 * - `{ token }`: an access token, sent as `Authorization: Bearer`. If `token` is a function, it is
 * called again after the server refused a token.
 */
export type ClientAuth = 'cookie' | { readonly token: string | (() => string | Promise<string>) };

/** Provides the client's access token. Concurrent calls share one request for it. */
interface TokenProvider {
  /** Returns the token, or `undefined` if the client authenticates by cookie. */
  get(): Promise<string | undefined>;
  /**
   * Reports that the server refused `token`. Returns whether to retry the call with another one.
   */
  refused(token: string | undefined): boolean;
}

/**
 * Time limit for a function that provides a token, in ms. After it the call fails, and the next
 * call tries again.
 */
const SOURCE_MS = 10_000;

/**
 * Creates the token provider for the client's `auth` option. `patience`: time limit for the
 * function that provides a token, in ms.
 */
export function createTokenProvider(auth: ClientAuth, patience = SOURCE_MS): TokenProvider {
  const source = auth === 'cookie' ? undefined : auth.token;
  if (typeof source !== 'function') return { get: async () => source, refused: () => false };
  let asked: Promise<string> | undefined;
  let known: string | undefined;
  return {
    get() {
      asked ??= limited(source, patience).then(
        (token) => (known = token),
        (cause: unknown) => {
          const why = cause instanceof Error ? cause.message : String(cause);
          throw new TidingError(
            'signed-out',
            `There is no access token: its source failed: ${why}`,
            {
              cause,
            },
          );
        },
      );
      // After a failure, the next call tries again.
      asked.catch(() => (asked = undefined));
      return asked;
    },
    refused(token) {
      // A concurrent call may have renewed the token already, or be renewing it.
      if (token === known) asked = known = undefined;
      return true;
    },
  };
}

/** Limits the time that the token function may take, because every call waits for it. */
function limited(source: () => string | Promise<string>, patience: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new Error(`The source of the access token did not respond within ${patience} ms.`)),
      patience,
    );
    Promise.resolve()
      .then(source)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
