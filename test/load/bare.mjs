/** The floor: a server that flushes each message to a file and broadcasts it to all sockets. */
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';

const folder = process.argv[2];

/** Stores a text durably: flushes the file, renames it and flushes the folder. */
async function store(data) {
  const [beside, file] = [join(folder, 'floor.tmp'), join(folder, 'floor.json')];
  const handle = await open(beside, 'w');
  await handle.writeFile(data);
  await handle.sync();
  await handle.close();
  await rename(beside, file);
  const names = await open(folder, 'r');
  await names.sync();
  await names.close();
}

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () =>
  process.send({ url: `http://127.0.0.1:${server.address().port}` }),
);
let last = Promise.resolve();
server.on('connection', (socket) =>
  socket.on('message', (data) => {
    last = last
      .then(() => store(data))
      .then(() => {
        for (const other of server.clients) other.send(data, { binary: false });
      });
  }),
);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: (user + system) / 1000 });
});
process.once('disconnect', () => process.exit(0));
