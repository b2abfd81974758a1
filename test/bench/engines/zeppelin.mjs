/** A real Zeppelin, without its page: its web archive is not published with the server. */
import { startZeppelin, zeppelinProblem } from '../../load/zeppelin-server.mjs';

/** Starts a Zeppelin, or uses the running one whose address is in `ZEPPELIN`. */
export async function openZeppelin(cleanup) {
  if (process.env.ZEPPELIN) return { url: process.env.ZEPPELIN, stop: async () => {} };
  if (!process.env.ZEPPELIN_BOOT && zeppelinProblem())
    throw new Error('no Zeppelin: set ZEPPELIN to its address, or ZEPPELIN_BOOT to a starter');
  return startZeppelin(cleanup);
}
