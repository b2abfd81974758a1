/**
 * A minimal server in a separate process, like the product's: one page, a list, an echo, static
 * notes and a stream of lines. It gets its content from the parent process and reports its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { WebSocketServer } from 'ws';
import { streamed } from './content.mjs';

const page = gzipSync(readFileSync(join(import.meta.dirname, 'bare.html')));
const served = { rows: [], notes: {}, pages: {} };
process.on('message', (message) => {
  if (message === 'memory') process.send({ memory: process.memoryUsage.rss() });
  else if (message.rows) served.rows = message.rows;
  else for (const key of Object.keys(message)) Object.assign(served[key], message[key]);
});
process.once('disconnect', () => process.exit());

/** CodeMirror with highlighting and history, and nothing else. */
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'bare-editor.js')],
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
});
const editor = gzipSync(outputFiles[0].text);

const contentOf = (url) => {
  if (url === '/rows') return ['application/json', gzipSync(JSON.stringify(served.rows))];
  if (url === '/editor.js') return ['text/javascript', editor];
  const html = served.pages[url];
  return ['text/html; charset=utf-8', html === undefined ? page : gzipSync(html)];
};

const server = createServer((request, response) => {
  const [type, content] = contentOf(request.url);
  response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-cache');
  response.end(content);
});

new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
  socket.on('message', (raw) => {
    const text = String(raw);
    if (text === 'stream') stream(socket);
    else if (text.startsWith('note ')) socket.send(served.notes[text.slice(5)]);
    else socket.send(text);
  });
});

/** Sends the lines in the pieces in which a script prints them. */
function stream(socket) {
  const { burst, pauseMs } = streamed;
  let sent = 0;
  const step = () => {
    if (sent >= streamed.lines) {
      clearInterval(timer);
      return socket.send('end');
    }
    socket.send(Array.from({ length: burst }, (_, at) => streamed.line(sent + at + 1)).join('\n'));
    sent += burst;
  };
  const timer = setInterval(step, pauseMs);
  step();
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
