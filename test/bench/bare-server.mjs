/**
 * A minimal server in a separate process, like the product's: one page, a list, an echo, static
 * notes and a stream of lines. It gets its content from the parent process and reports its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { streamed } from './content.mjs';

const page = gzipSync(readFileSync(join(import.meta.dirname, 'bare.html')));
let served = { rows: [], notes: {} };
process.on('message', (message) => {
  if (message === 'memory') process.send({ memory: process.memoryUsage.rss() });
  else served = { ...served, ...message };
});
process.once('disconnect', () => process.exit());

const server = createServer((request, response) => {
  const rows = request.url === '/rows';
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', rows ? 'application/json' : 'text/html; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache');
  response.end(rows ? gzipSync(JSON.stringify(served.rows)) : page);
});

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (raw) => {
    const text = String(raw);
    if (text === 'stream') stream(socket);
    else if (text.startsWith('note ')) socket.send(served.notes[text.slice(5)]);
    else socket.send(text);
  });
});

/** Sends the lines in pieces of the same size and pace as the product's server. */
function stream(socket) {
  const lines = Array.from({ length: streamed.lines }, (_, at) => streamed.line(at + 1));
  const step = (streamed.burst * streamed.everyMs) / streamed.pauseMs;
  let sent = 0;
  const timer = setInterval(() => {
    socket.send(lines.slice(sent, sent + step).join('\n'));
    sent += step;
    if (sent < lines.length) return;
    clearInterval(timer);
    socket.send('end');
  }, streamed.everyMs);
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
