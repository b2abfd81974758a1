/** Fetches files of notes from other servers, which the policy of the app keeps its pages from. */

import { Refusal } from '../../base/errors.ts';
import { downloadText, StatementError } from '../../magpie/index.ts';
import type { GatewayContext, RestHandlers } from '../context.ts';

/** Time limit of a download, in ms. */
const TIMEOUT_MS = 60_000;

/** REST handlers for addresses of notes. */
export const noteAddressRest = {
  fetchNoteFile: async ({ body, signal }, { options }) => {
    try {
      return await downloadText(body.url, options.maxImportBytes, {
        allowPrivate: options.allowPrivateFetch,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    } catch (error) {
      if (error instanceof StatementError)
        throw new Refusal(error.code === 'ExecutionError' ? 502 : 400, error.message);
      if ((error as Error).name === 'TimeoutError')
        throw new Refusal(
          504,
          `The file did not arrive within ${TIMEOUT_MS / 1000} seconds. Try again later.`,
        );
      throw error;
    }
  },
} satisfies Partial<RestHandlers<GatewayContext>>;
