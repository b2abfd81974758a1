/**
 * Many subscribers of a note and the list in a separate process, so that their reading does not
 * delay the measured clients. Arguments: `[url, identity, note, count]`.
 */
import { openMany } from './sockets.mjs';

const [url, identity, id, count] = process.argv.slice(2);
let lists = 0;
let bytes = 0;
const sockets = await openMany(url, JSON.parse(identity), id, Number(count), (frame) => {
  if (!frame.subarray(0, 40).includes('NOTES_INFO')) return;
  lists += 1;
  bytes += frame.length;
});
process.send({ sockets: sockets.length });
process.on('message', () => process.send({ lists, megabytes: bytes / 2 ** 20 }));
process.once('disconnect', () => process.exit(0));
