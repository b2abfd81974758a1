/** The built server as a child that says how much memory it has: `fork(…, [folder])`, with `--expose-gc`. */
import { createServer } from '../../dist/lib/server.js';

const began = performance.now();
const server = await createServer({
  port: 0,
  data: process.argv[2],
  adminPassword: process.env.TIDING_ADMIN_PASSWORD,
  maxSockets: 5_000,
  logLevel: 'error',
});
process.send({ url: server.url, ms: performance.now() - began });

/** What is asked, and what is answered. */
const answers = {
  /** Memory as it is, MB, how many TCP sockets are held, and the time on the processor so far, ms. */
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
  /** Memory without what nobody needs any more. */
  after() {
    // The second finds what finalizers of the first have let go.
    globalThis.gc();
    globalThis.gc();
    return answers.now();
  },
};
process.on('message', (question) => process.send(answers[question]()));
process.once('disconnect', () => void server.close().then(() => process.exit(0)));
