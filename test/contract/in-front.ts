/** A target of the contract suite: this server in front of a real Zeppelin, started once for all the suites of a file. */
import { startEmbedded } from '../support/embedded.ts';
import { startZeppelin } from '../support/zeppelin.ts';
import type { Target } from './suite.ts';

/** `suites`: how many share it; the last one stops it. */
export function inFront(
  port: number,
  flags: readonly string[],
  suites: number,
): (
  people: Pick<Target, 'signIn' | 'signInOther'>,
) => () => Promise<[Target, () => Promise<void>]> {
  let started: Promise<{ url: string; stop: () => Promise<void> }> | undefined;
  let users = suites;
  const start = async () => {
    const zeppelin = await startZeppelin(flags, port);
    const { server, stop } = await startEmbedded({ upstream: zeppelin.url });
    return { url: server.url, stop: () => stop().then(zeppelin.stop) };
  };
  return (people) => async () => {
    const { url, stop } = await (started ??= start());
    return [
      { url, ...people },
      async () => {
        users -= 1;
        if (users === 0) await stop();
      },
    ];
  };
}
