/**
 * The load on a server that gets killed, and a ledger of what it has acknowledged. Each actor does
 * one thing at a time. Acknowledged changes are certain; a change that was requested and not yet
 * acknowledged may or may not be stored.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { makeTextPatch } from '../../client/dist/changes.js';
import { textOf } from '../load/sockets.mjs';

/** A socket that matches replies to requests by id. */
export async function openSocket(url, identity) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  const waiting = new Map();
  const listeners = new Set();
  let count = 0;
  socket.on('error', () => {});
  socket.on('message', (data) => {
    const frame = JSON.parse(data);
    listeners.forEach((onFrame) => onFrame(frame));
    const asked = waiting.get(frame.msgId);
    if (
      !asked ||
      (frame.op !== asked.answer && !/^(ERROR_INFO|AUTH_INFO|PARAGRAPH_CONFLICT)$/.test(frame.op))
    )
      return;
    waiting.delete(frame.msgId);
    if (frame.op === asked.answer) asked.resolve(frame.data);
    else asked.reject(new Error(`${asked.op} failed: ${JSON.stringify(frame)}`));
  });
  // A killed server sends no replies; pending requests end with the socket.
  const closed = once(socket, 'close');
  await Promise.race([
    once(socket, 'open'),
    closed.then(() => Promise.reject(new Error('the connection was refused'))),
  ]);
  return {
    closed,
    listeners,
    /** Resolves to the reply's data, or to `undefined` if the server dies first. */
    ask(op, data, answer) {
      const msgId = `${op}-${(count += 1)}`;
      socket.send(JSON.stringify({ op, data, ...identity, msgId }));
      return Promise.race([
        new Promise((resolve, reject) => waiting.set(msgId, { op, answer, resolve, reject })),
        closed.then(() => undefined),
      ]);
    },
    terminate: () => socket.terminate(),
  };
}

/**
 * An empty ledger. `texts` has the possible texts by paragraph, `notes` the possible names by note
 * id, with `undefined` for a deleted note.
 */
export function newLedger() {
  return { texts: new Map(), notes: new Map(), runs: new Map(), revisions: [], edits: 0, shown: 0 };
}

async function open(url, identity, id) {
  const socket = await openSocket(url, identity);
  const answer = await socket.ask('GET_NOTE', { id }, 'NOTE');
  if (!answer) throw new Error('the connection was closed');
  return { socket, note: answer.note };
}

/** Commits texts and patches to paragraphs. A text that another page has received is certain. */
async function type(url, identity, id, ledger, next) {
  const { socket: reader } = await open(url, identity, id);
  const { socket, note } = await open(url, identity, id);
  const rev = new Map(note.paragraphs.map((paragraph) => [paragraph.id, paragraph.rev]));
  reader.listeners.add(({ op, data }) => {
    const shown = { PARAGRAPH: data?.paragraph, PATCH_PARAGRAPH: data }[op];
    const known = ledger.texts.get(shown?.id ?? shown?.paragraphId);
    if (!known || shown.rev <= rev.get(shown.id ?? shown.paragraphId)) return;
    ledger.shown += 1;
    known.possible = known.possible.slice(-1);
  });
  for (let at = 0; ; at += 1) {
    const paragraph = note.paragraphs[Math.floor(next() * 3)].id;
    const [before] = ledger.texts.get(paragraph).possible;
    const text =
      before.length > 4_000
        ? `%md\nagain ${at}\n`
        : `${before}${Math.floor(next() * 1e6)} ${'x'.repeat(Math.floor(next() * 200))}\n`;
    ledger.texts.get(paragraph).possible.push(text);
    const answer =
      next() < 0.5
        ? await socket.ask('COMMIT_PARAGRAPH', textOf(id, paragraph, text), 'PARAGRAPH')
        : await socket.ask(
            'PATCH_PARAGRAPH',
            {
              id: paragraph,
              noteId: id,
              patch: makeTextPatch(before, text),
              baseRev: rev.get(paragraph),
            },
            'PATCH_PARAGRAPH',
          );
    if (!answer) return reader.closed;
    rev.set(paragraph, answer.rev ?? answer.paragraph.rev);
    ledger.texts.get(paragraph).possible = [text];
    ledger.edits += 1;
  }
}

/**
 * Starts runs that print and never end. The shell has background children, one of them in a session
 * of its own.
 */
async function run(url, identity, id, ledger) {
  const { socket, note } = await open(url, identity, id);
  socket.listeners.add(({ op, data }) => {
    if (op === 'PARAGRAPH_APPEND_OUTPUT')
      ledger.runs.get(data.paragraphId).printed += data.data.length;
    if (op === 'PARAGRAPH' && data.paragraph.status === 'RUNNING')
      ledger.runs.get(data.paragraph.id).announced = true;
  });
  const codes = [
    [
      '%js',
      'for (let at = 0; ; at += 1) {',
      '  console.log("line", at, "of a run that never ends");',
      '  await new Promise((resolve) => setTimeout(resolve, 5));',
      '}',
    ].join('\n'),
    [
      '%sh',
      'sleep 1000 &',
      '(sleep 1001; true) &',
      'setsid sleep 1002 &',
      'while true; do echo still here; sleep 0.05; done',
    ].join('\n'),
  ];
  for (const [at, code] of codes.entries()) {
    const paragraph = note.paragraphs[at].id;
    ledger.runs.set(paragraph, { noteId: id, announced: false, printed: 0 });
    await socket.ask('RUN_PARAGRAPH', textOf(id, paragraph, code), 'PARAGRAPH');
  }
  await socket.closed;
}

/** Creates notes, renames them, moves them to the trash and deletes them. */
async function manage(url, identity, ledger, next) {
  const socket = await openSocket(url, identity);
  for (;;) {
    const there = [...ledger.notes]
      .filter(([, names]) => names.length === 1 && names[0] !== undefined)
      .map(([id]) => id);
    const id = there[Math.floor(next() * there.length)];
    const dice = next();
    const name = `made/${Math.floor(next() * 1e9)}`;
    if (id === undefined || dice < 0.45) {
      const answer = await socket.ask('NEW_NOTE', { name }, 'NEW_NOTE');
      if (!answer) return;
      ledger.notes.set(answer.note.id, [name]);
      continue;
    }
    const [before] = ledger.notes.get(id);
    const trashed = before.startsWith('~Trash/');
    const [op, data, after] =
      dice < 0.6
        ? ['NOTE_RENAME', { id, name }, name]
        : dice < 0.85 && !trashed
          ? ['MOVE_NOTE_TO_TRASH', { id }, `~Trash/${before}`]
          : ['DEL_NOTE', { id }, undefined];
    ledger.notes.set(id, [before, after]);
    if (!(await socket.ask(op, data, 'NOTES_INFO'))) return;
    ledger.notes.set(id, [after]);
  }
}

/** Changes a note and creates a checkpoint, repeatedly. */
async function checkpoint(url, identity, id, ledger, next) {
  const { socket, note } = await open(url, identity, id);
  const paragraph = note.paragraphs[0].id;
  for (;;) {
    const text = `%md\nrevision ${Math.floor(next() * 1e9)}`;
    ledger.texts.get(paragraph).possible.push(text);
    if (!(await socket.ask('COMMIT_PARAGRAPH', textOf(id, paragraph, text), 'PARAGRAPH'))) return;
    ledger.texts.get(paragraph).possible = [text];
    const answer = await socket.ask(
      'CHECKPOINT_NOTE',
      { noteId: id, commitMessage: text.slice(4) },
      'LIST_REVISION_HISTORY',
    );
    if (!answer) return;
    ledger.revisions.push({ noteId: id, revisionId: answer.revisionList[0].id, text });
  }
}

/** Runs all actors until the server dies. Rejects if the server replies with an error before. */
export function work(url, identity, ids, ledger, next) {
  return Promise.all([
    type(url, identity, ids.typed, ledger, next),
    run(url, identity, ids.run, ledger),
    manage(url, identity, ledger, next),
    checkpoint(url, identity, ids.revised, ledger, next),
  ]);
}
