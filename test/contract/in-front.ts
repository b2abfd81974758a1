/**
 * A target of the contract suite: a gateway to a real Zeppelin, started once for all suites of a
 * file.
 */
import { startEmbedded } from '../support/embedded.ts';
import { startZeppelin } from '../support/zeppelin.ts';
import type { Target } from './suite.ts';

/** `suites`: the number of suites that share the target. The last one stops it. */
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
