/** Sets up the server in front of a fake Zeppelin, anew for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import type { ServerOptions, TidingServer } from '../../server/index.ts';
import { startEmbedded } from './embedded.ts';
import { type FakeZeppelin, fakeZeppelin } from './fake-zeppelin.ts';
import { type Answer, type ApiCall, callApi, type Login, request } from './raw.ts';

/** The gateway of the current test; see {@link useGateway}. */
export interface Gateway {
  readonly zeppelin: FakeZeppelin;
  readonly url: string;
  /** Its data folder. */
  readonly data: string;
  readonly server: TidingServer;
  start(options?: Partial<ServerOptions>): Promise<TidingServer>;
  /** A call like one from the server's own page. */
  call(who: Login, ...args: ApiCall): Promise<Answer>;
  /** Requests received by the upstream server, by `METHOD /path`. */
  asked(what: string): FakeZeppelin['asked'];
  /** Signs in with the one-time link, for an upstream server without accounts. */
  admin(): Promise<Login>;
  /** Stops the upstream server and starts another at its address. */
  restart(): Promise<void>;
}

/** Sets up a gateway for each test of the file. */
export function useGateway(): Gateway {
  let zeppelin: FakeZeppelin;
  let embedded: Awaited<ReturnType<typeof startEmbedded>> | undefined;
  beforeEach(async () => {
    zeppelin = await fakeZeppelin();
    embedded = undefined;
  });
  afterEach(async () => {
    await embedded?.stop();
    await zeppelin.stop();
  });
  const gateway = {
    get zeppelin() {
      return zeppelin;
    },
    get url() {
      return embedded!.server.url;
    },
    get data() {
      return embedded!.data;
    },
    get server() {
      return embedded!.server;
    },
    async start(options: Partial<ServerOptions> = {}) {
      embedded = await startEmbedded({
        upstream: zeppelin.url,
        adminPassword: undefined,
        ...options,
      });
      return embedded.server;
    },
    call: (who: Login, ...args: ApiCall) => callApi(gateway.url, who, ...args),
    asked: (what: string) => zeppelin.asked.filter(({ call }) => call === what),
    async admin(): Promise<Login> {
      const token = /login=([\w-]+)$/.exec(gateway.server.loginLink())![1];
      const { json, headers } = await request(gateway.url, 'POST', '/api/login/once', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
      return {
        cookie: headers['set-cookie']![0]!.split(';')[0]!,
        identity: (json as { body: Login['identity'] }).body,
      };
    },
    async restart() {
      const { port } = new URL(zeppelin.url);
      await zeppelin.stop();
      zeppelin = await fakeZeppelin(Number(port));
    },
  };
  return gateway;
}
