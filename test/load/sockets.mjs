/** Servers of their own and sockets without a client behind them. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';

export const PASSWORD = 'only-for-load';
/** What may take so long has failed, ms. */
const PATIENCE_MS = 60_000;

/** Starts a module of this folder as a child. `ask` is answered by it; what it said first is in `said`. */
export async function startChild(name, args, cleanup) {
  const child = fork(join(import.meta.dirname, name), args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, TIDING_ADMIN_PASSWORD: PASSWORD, UV_THREADPOOL_SIZE: '16' },
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${name} ended`)));
  ended.catch(() => {});
  // One question at a time.
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

/** Signs in: the identity for live messages, and a way to call. */
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
      return (await response.json()).body;
    },
  };
}

/** `ask(about, data, answer)`: sends, and answers the next frame with that operation. `hearers` are given every frame; `keep` makes one last. */
export const asker =
  (hearers, send, keep = (bytes) => bytes) =>
  (about, data, answer) =>
    new Promise((resolve, reject) => {
      const late = setTimeout(
        () => end(() => reject(new Error(`no ${answer} after ${about}`))),
        PATIENCE_MS,
      );
      const end = (act) => {
        clearTimeout(late);
        hearers.delete(hear);
        act();
      };
      const hear = (bytes) => {
        // The operation stands at the head: a note of megabytes is not searched for it.
        const op = /"op": ?"(\w+)"/.exec(bytes.latin1Slice(0, Math.min(60, bytes.length)))?.[1];
        if (op === 'ERROR_INFO' || op === 'AUTH_INFO')
          end(() => reject(new Error(`${about}: ${bytes.toString()}`)));
        else if (op === answer) end(() => resolve(keep(bytes)));
      };
      hearers.add(hear);
      // With an id it is an answer, and comes before others are told.
      send(about, data, 'asked');
    });

/** A socket. `onText` hears every frame as bytes. */
export async function openSocket(url, identity, onText = () => {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const hearers = new Set([onText]);
  socket.on('message', (data) => hearers.forEach((hear) => hear(data)));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', (code) => resolve(code)));
  await Promise.race([
    once(socket, 'open'),
    closed.then((code) => Promise.reject(new Error(`a socket was refused (${code})`))),
  ]);
  const send = (op, data, msgId) =>
    socket.send(JSON.stringify({ op, data, ...identity, ...(msgId ? { msgId } : {}) }));
  return {
    socket,
    closed,
    send,
    ask: asker(hearers, send),
    async close() {
      socket.close();
      await closed;
    },
  };
}

/** `count` sockets that have a note open, some at a time. */
export async function openMany(url, identity, id, count, onText) {
  const sockets = [];
  while (sockets.length < count) {
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(25, count - sockets.length) }, async () => {
          const socket = await openSocket(url, identity, onText);
          await socket.ask('GET_NOTE', { id }, 'NOTE');
          return socket;
        }),
      )),
    );
  }
  return sockets;
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
