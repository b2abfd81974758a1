/** The access token of a client: asked for once by however many calls need it, and anew when the server refused it. */
import { TidingError } from '../errors.ts';
import type { Auth } from '../options.ts';

/** Source of a token. */
export interface Bearer {
  /** The token; `undefined` where the client signs in by cookie. */
  get(): Promise<string | undefined>;
  /** The server refused `token`. Says whether another one may be had: then the call is made once more. */
  refused(token: string | undefined): boolean;
}

/** How long a source of tokens may take, in ms; then the call fails, and the next one asks anew. */
const SOURCE_MS = 10_000;

/** Reads the token out of the options of a client. `patience`: how long its source may take, in ms. */
export function bearerOf(auth: Auth, patience = SOURCE_MS): Bearer {
  const source = auth === 'cookie' ? undefined : auth.token;
  if (typeof source !== 'function') return { get: async () => source, refused: () => false };
  let asked: Promise<string> | undefined;
  let known: string | undefined;
  return {
    get() {
      asked ??= limited(source, patience).then(
        (token) => (known = token),
        (cause: unknown) => {
          throw new TidingError('network', 'there is no access token: its source failed', {
            cause,
          });
        },
      );
      // A source that failed is asked again by the next call.
      asked.catch(() => (asked = undefined));
      return asked;
    },
    refused(token) {
      // Somebody else's call may have renewed it already.
      if (token === known) asked = undefined;
      return true;
    },
  };
}

/** A source that hangs must not hang everybody who needs its token. */
function limited(source: () => string | Promise<string>, patience: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(new Error(`the source of the access token did not answer within ${patience} ms`)),
      patience,
    );
    Promise.resolve()
      .then(source)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
