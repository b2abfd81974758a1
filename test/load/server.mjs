/**
 * The built server as a child process that reports its memory: `fork(…, [folder])` with
 * `--expose-gc`.
 */
import { createServer } from '../../server/dist/index.js';

const began = performance.now();
const server = await createServer({
  port: 0,
  data: process.argv[2],
  adminPassword: process.env.TIDING_ADMIN_PASSWORD,
  maxSockets: 5_000,
  logLevel: 'error',
});
process.send({ url: server.url, ms: performance.now() - began });

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
};
process.on('message', (question) => process.send(answers[question]()));
process.once('disconnect', () => void server.close().then(() => process.exit(0)));
