/**
 * Pages with embed tokens, in a process of their own. Arguments: `[url, note, end]`. Counts the
 * pages that have received a finished paragraph whose output ends with `end`.
 */
import { listen } from './wire.mjs';

const [url, id, end] = process.argv.slice(2);
const sockets = [];
let received = 0;
/** The last messages that a paragraph was finished; most pages receive the same bytes. */
function isEnd(bytes) {
  const start = bytes.subarray(0, 4_000).latin1Slice();
  if (!start.slice(0, 40).includes('"PARAGRAPH"')) return false;
  const rest = bytes.subarray(-4_000).latin1Slice();
  return /"status":"FINISHED"/.test(start + rest) && rest.includes(end);
}
const act = {
  async open(identities) {
    sockets.push(
      ...(await Promise.all(
        identities.map(async (identity) => {
          const socket = await listen(url, identity, (bytes) => {
            if (isEnd(bytes)) received += 1;
          });
          await socket.ask('GET_NOTE', { id }, 'NOTE');
          return socket;
        }),
      )),
    );
  },
  reset: () => (received = 0),
  pause: (count) => sockets.slice(0, count).forEach(({ socket }) => socket.pause()),
  close: () => sockets.splice(0).forEach(({ socket }) => socket.destroy()),
};
process.send({ sockets: 0 });
process.on('message', async (asked) => {
  for (const [name, value] of Object.entries(asked)) await act[name](value);
  process.send({ received, sockets: sockets.length });
});
process.once('disconnect', () => process.exit(0));
