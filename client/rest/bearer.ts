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

/** Reads the token out of the options of a client. */
export function bearerOf(auth: Auth): Bearer {
  const source = auth === 'cookie' ? undefined : auth.token;
  if (typeof source !== 'function') return { get: async () => source, refused: () => false };
  let asked: Promise<string> | undefined;
  let known: string | undefined;
  return {
    get() {
      asked ??= Promise.resolve()
        .then(source)
        .then((token) => (known = token), (cause: unknown) => {
          throw new TidingError('network', 'there is no access token: its source failed', { cause });
        });
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
