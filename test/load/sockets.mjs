/** Child processes with servers, and bare sockets without a client library. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';

export const PASSWORD = 'only-for-load';
/** Time limit of a request, in ms. */
const PATIENCE_MS = 60_000;

/**
 * Starts a module of this folder as a child process. The result contains its first message; `ask`
 * sends a request and resolves to the reply. `nodeOptions` are further options of Node.
 */
export async function startChild(name, args, cleanup, nodeOptions = []) {
  const child = fork(join(import.meta.dirname, name), args, {
    // The second option is that of `npm start`, the image and the systemd unit.
    execArgv: ['--expose-gc', '--max-semi-space-size=4', ...nodeOptions],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, TIDING_ADMIN_PASSWORD: PASSWORD, UV_THREADPOOL_SIZE: '16' },
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} exited`)));
  ended.catch(() => {});
  // Requests are sent one at a time.
  let last = Promise.race([once(child, 'message'), ended]);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    if (child.connected) child.disconnect();
    await exit;
    clearTimeout(late);
  };
  cleanup.add(stop);
  const [said] = await last;
  return {
    ...said,
    stop,
    pid: child.pid,
    async ask(question) {
      last = last.then(() => {
        const answer = once(child, 'message');
        child.send(question);
        return Promise.race([answer, ended]);
      });
      return (await last)[0];
    },
  };
}

/** Signs in. Returns the identity for live messages and a function for REST calls. */
export async function signIn(url) {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    body: new URLSearchParams({ userName: 'admin', password: PASSWORD }),
  });
  if (!answer.ok) throw new Error(`signing in failed: ${answer.status}`);
  const { principal, ticket, roles } = (await answer.json()).body;
  const headers = {
    Cookie: answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
    'X-Requested-With': 'load',
    'Content-Type': 'application/json',
  };
  return {
    identity: { principal, ticket, roles },
    async call(method, path, body) {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      const answer = await response.json();
      return answer.body ?? answer;
    },
  };
}

/**
 * Returns `ask(op, data, answer)`, which sends a message and resolves to the next frame with the
 * operation `answer`. `listeners` receive every frame; `keep` copies one.
 */
export const createAsk =
  (listeners, send, keep = (bytes) => bytes) =>
  (about, data, answer) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(
        () => end(() => reject(new Error(`no ${answer} after ${about}`))),
        PATIENCE_MS,
      );
      const end = (act) => {
        clearTimeout(late);
        listeners.delete(onFrame);
        act();
      };
      const onFrame = (bytes) => {
        // The operation is at the start; don't search a note of several megabytes for it.
        const op = /"op": ?"(\w+)"/.exec(bytes.toString('latin1', 0, 60))?.[1];
        if (op === 'ERROR_INFO' || op === 'AUTH_INFO')
          end(() => reject(new Error(`${about}: ${bytes.toString()}`)));
        else if (op === answer) end(() => resolve(keep(bytes)));
      };
      listeners.add(onFrame);
      // With an id the reply is sent before the broadcast.
      send(about, data, 'asked');
    });

/** Opens a socket. `onText` receives every frame as bytes. */
export async function openSocket(url, identity, onText = () => {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const listeners = new Set([onText]);
  socket.on('message', (data) => listeners.forEach((onFrame) => onFrame(data)));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', (code) => resolve(code)));
  await Promise.race([
    once(socket, 'open'),
    closed.then((code) => Promise.reject(new Error(`the connection was refused (${code})`))),
  ]);
  const send = (op, data, msgId) =>
    socket.send(JSON.stringify({ op, data, ...identity, ...(msgId ? { msgId } : {}) }));
  return {
    socket,
    closed,
    send,
    ask: createAsk(listeners, send),
    async close() {
      socket.close();
      await closed;
    },
  };
}

/** Opens `count` sockets, some at a time. */
export async function openSome(count, open) {
  const all = [];
  while (all.length < count) {
    const length = Math.min(25, count - all.length);
    all.push(...(await Promise.all(Array.from({ length }, open))));
  }
  return all;
}

/** Opens `count` sockets with a note. */
export const openMany = (url, identity, id, count, onText) =>
  openSome(count, async () => {
    const socket = await openSocket(url, identity, onText);
    await socket.ask('GET_NOTE', { id }, 'NOTE');
    return socket;
  });

/** The payload that commits or runs a text. */
export const textOf = (noteId, id, paragraph) => ({
  ...{ id, noteId, paragraph },
  ...{ title: '', config: {}, params: {} },
});

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Random numbers from 0 to 1 by a seed, so that a run can be repeated. */
export function generator(seed) {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}
