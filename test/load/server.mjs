/**
 * The built server as a child process that reports its memory: `fork(…, [folder, options])` with
 * `--expose-gc`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createServer } from '../../server/dist/index.js';

const began = performance.now();
const server = await createServer({
  port: 0,
  data: process.argv[2],
  adminPassword: process.env.TIDING_ADMIN_PASSWORD,
  maxSockets: 5_000,
  logLevel: 'error',
  ...JSON.parse(process.argv[3] ?? '{}'),
});
process.send({ url: server.url, ms: performance.now() - began });

/** Interval at which the delay of the event loop is measured, in ms. */
const RESOLUTION_MS = 5;
const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
loop.enable();

/** Replies by request. */
const answers = {
  /** Memory in MB, number of TCP sockets, and processor time so far in ms. */
  now() {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const sockets = process
      .getActiveResourcesInfo()
      .filter((kind) => kind === 'TCPSocketWrap').length;
    return {
      rss: rss / 2 ** 20,
      heap: heapUsed / 2 ** 20,
      external: external / 2 ** 20,
      sockets,
      cpu: (user + system) / 1000,
    };
  },
  /** The same after garbage collection. */
  after() {
    // The second collection frees objects released by finalizers.
    globalThis.gc();
    globalThis.gc();
    return answers.now();
  },
  restartDelay() {
    loop.reset();
    return {};
  },
  /** Delay of the event loop since `restartDelay`, in ms. */
  delay() {
    const of = (ns) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
    return { p50: of(loop.percentile(50)), p99: of(loop.percentile(99)), max: of(loop.max) };
  },
};
process.on('message', (question) => process.send(answers[question]()));
process.once('disconnect', () => void server.close().then(() => process.exit(0)));
