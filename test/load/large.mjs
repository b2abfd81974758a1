/**
 * A note with 76 MB of outputs: how long each way to read, copy and store it delays other requests.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSocket, signIn, sleep, startChild } from './sockets.mjs';

const ID = '2LARGE001';
const OUTPUTS = 40;
/** Characters of an output, some of which JSON escapes. */
const OUTPUT_CHARACTERS = 1_900_000;
/** Outputs of the note that is imported: a body has at most 50 MiB. */
const IMPORTED = 20;

const output = (at) =>
  `line ${at} of a log, "quoted"\tä\n`.repeat(OUTPUT_CHARACTERS / 30).slice(0, OUTPUT_CHARACTERS);
const noteWith = (outputs) => ({
  id: ID,
  name: 'large',
  paragraphs: Array.from({ length: outputs }, (_each, at) => ({
    id: `20260105-090000_${at}`,
    text: `%sh\necho ${at}`,
    config: {},
    settings: { params: {}, forms: {} },
    status: 'FINISHED',
    results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: output(at) }] },
    user: 'admin',
  })),
  config: {},
  info: {},
});

/** Measures a server that starts with the note. `data` is an empty folder. */
export async function largeNote(data, cleanup) {
  mkdirSync(join(data, 'notebook', ID), { recursive: true });
  writeFileSync(join(data, 'notebook', ID, 'note.json'), JSON.stringify(noteWith(OUTPUTS)));
  const authInfo = { [ID]: { owners: ['admin'], writers: [], runners: [], readers: [] } };
  writeFileSync(join(data, 'notebook-authorization.json'), JSON.stringify({ authInfo }));
  writeFileSync(join(data, 'samples.json'), '{}');
  const server = await startChild('server.mjs', [data], cleanup);
  const { identity, call } = await signIn(server.url);
  const editor = await openSocket(server.url, identity);
  const imported = { ...noteWith(IMPORTED), name: 'imported' };
  let revisionId;
  const acts = {
    'opened by a page': () => editor.ask('GET_NOTE', { id: ID }, 'NOTE'),
    'read by REST': () => call('GET', `/notebook/${ID}`),
    exported: () => call('GET', `/notebook/export/${ID}`),
    'edited and stored': () =>
      editor.ask(
        'COMMIT_PARAGRAPH',
        { id: '20260105-090000_0', title: '', paragraph: '%sh\nls', config: {}, params: {} },
        'PARAGRAPH',
      ),
    copied: () => call('POST', `/notebook/${ID}`, { name: 'copy' }),
    [`imported with ${IMPORTED} outputs`]: () => call('POST', '/notebook/import', imported),
    'stored as a checkpoint': async () => {
      const body = { commitMessage: 'one' };
      revisionId = (await call('POST', `/notebook/${ID}/revision`, body)).id;
    },
    'read as of a checkpoint': () => call('GET', `/notebook/${ID}/revision/${revisionId}`),
    'opened as of a checkpoint': () =>
      editor.ask('NOTE_REVISION', { noteId: ID, revisionId }, 'NOTE_REVISION'),
    compared: () =>
      editor.ask(
        'NOTE_REVISION_FOR_COMPARE',
        { noteId: ID, revisionId, position: 'first' },
        'NOTE_REVISION_FOR_COMPARE',
      ),
    'restored from a checkpoint': () => call('PUT', `/notebook/${ID}/revision/${revisionId}`),
  };
  const report = {};
  for (const [what, act] of Object.entries(acts)) {
    await server.ask('after');
    await server.ask('restartDelay');
    // The first tick after that is not counted.
    await sleep(100);
    const began = performance.now();
    await act();
    const ms = performance.now() - began;
    // The note may still be stored.
    await sleep(1_500);
    report[what] = { ms, longest: (await server.ask('delay')).max };
  }
  await editor.close();
  await server.stop();
  return { megabytes: (OUTPUTS * OUTPUT_CHARACTERS) / 1_000_000, acts: report };
}
