/** The floor: a server that sends each message on to all sockets, and does nothing else. */
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
server.on('connection', (socket) => socket.on('message', (data) => {
  for (const other of server.clients) other.send(data, { binary: false });
}));
process.once('disconnect', () => process.exit(0));
