/**
 * Every operation and every call, tried through the client's public interface on one server, and what came of it: works,
 * not in this generation, or falls short. A try counts only if what it is about really went over the wire.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createClient, isHttpError, isTidingError, outputText, webSocketTransport, type Client, type ClientOptions, type ErrorCode, type Note, type Transport,
} from 'tiding/client';
import { endpoints, sentOperations, type EndpointName, type SentOp } from 'tiding/protocol';
import type { Target } from './suite.ts';

/** What a probe works with: a client of its own kind of wire tap, and notes that are removed at the end. */
interface Lab {
  client: Client;
  target: Target;
  /** Whether people sign in there. */
  accounts: boolean;
  /** Our own server: it has all there is. */
  ours: boolean;
  newNote(path?: string): Promise<string>;
  open(text?: string): Promise<Note>;
  fresh(options?: Partial<ClientOptions>): Client;
}
type Probe = (lab: Lab) => Promise<unknown>;

/** Resolves to the refusal it must end in; another end is a failure. */
async function refused(code: ErrorCode, act: Promise<unknown>, status?: number | readonly number[]): Promise<void> {
  const outcome = await act.then(() => ({ resolved: true }), (error: unknown) => error);
  if (isTidingError(outcome, 'unsupported')) throw outcome as Error;
  const statuses = status === undefined ? undefined : [status].flat();
  if (isTidingError(outcome, code) && (statuses === undefined || statuses.some((each) => isHttpError(outcome, each)))) return;
  throw outcome instanceof Error ? outcome : new Error(`not refused with ${code} ${statuses?.join(', ') ?? ''}`);
}
const must = (condition: unknown, what: string) => {
  if (!condition) throw new Error(what);
};
const run = (note: Note, text: string) => {
  note.paragraphs[0]!.edit(text);
  return note.paragraphs[0]!.run();
};
/** Waits for an event of a kind on a client; the promise is made before what causes it. */
function heard(client: Client, type: Parameters<Client['on']>[0], limit = 5_000): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${type} did not come`)), limit);
    const off = client.on(type, (event: unknown) => {
      clearTimeout(timer);
      off();
      resolve(event);
    });
  });
  // A probe that fails before it waits leaves nothing behind.
  promise.catch(() => {});
  return promise;
}
const unique = (name: string) => `coverage/${name}-${randomUUID().slice(0, 8)}`;

const operations: { [Op in SentOp]: Probe } = {
  PING: async ({ open, client }) => {
    // Sent every ten seconds, and never answered: the connection is as before.
    const note = await open();
    note.channel.send('PING', {});
    await client.notes.list();
    must(note.state.connection === 'open', 'the connection is gone');
  },
  LIST_CONFIGURATIONS: async ({ client }) => must(Object.keys(await client.notes.configurations()).length > 3, 'no settings'),
  LIST_NOTES: async ({ client, newNote }) => {
    const id = await newNote();
    must((await client.notes.list()).some((note) => note.id === id), 'the note is not listed');
  },
  RELOAD_NOTES_FROM_REPO: async ({ client, newNote }) => {
    const id = await newNote();
    must((await client.notes.reload()).some((note) => note.id === id), 'the note is not listed');
  },
  GET_NOTE: async ({ open }) => must((await open()).paragraphs.length === 1, 'no paragraph'),
  RELOAD_NOTE: async ({ open }) => (await open()).reload(),
  GET_HOME_NOTE: async ({ client }) => client.notes.home(),
  NEW_NOTE: async ({ newNote }) => must((await newNote()).length > 5, 'no id'),
  DEL_NOTE: async ({ client, newNote }) => client.notes.remove(await newNote()),
  REMOVE_FOLDER: async ({ client, newNote }) => {
    const folder = unique('folder');
    await newNote(`${folder}/a`);
    await client.notes.removeFolder(folder);
  },
  CLONE_NOTE: async ({ open, client }) => {
    const note = await open('%md\ncloned');
    const path = unique('clone');
    const id = await note.clone(path);
    must((await client.notes.get(id)).paragraphs?.[0]?.text === '%md\ncloned', 'the copy has another text');
    await client.notes.remove(id);
  },
  IMPORT_NOTE: async ({ client }) => {
    const path = unique('live-import');
    await client.notes.list();
    const id = await client.notes.importLive({ name: path, paragraphs: [{ text: '%md\nx' }], config: {} });
    must((await client.notes.get(id)).paragraphs?.length !== 0, 'no paragraphs');
    await client.notes.remove(id);
  },
  NOTE_UPDATE: async ({ open }) => {
    const note = await open();
    await note.configure({ looknfeel: 'report' });
    must(note.state.config.looknfeel === 'report', 'the look is as before');
  },
  NOTE_RENAME: async ({ open }) => {
    const note = await open();
    const path = unique('renamed');
    await note.rename(path);
    must(note.path === path, `the path is ${note.path}`);
  },
  FOLDER_RENAME: async ({ client, newNote }) => {
    const folder = unique('folder');
    const id = await newNote(`${folder}/a`);
    await client.notes.renameFolder(folder, `${folder}-new`);
    must(client.state.notes?.find((note) => note.id === id)?.path === `${folder}-new/a`, 'another path');
  },
  UPDATE_PERSONALIZED_MODE: async ({ open }) => {
    const note = await open();
    await note.setPersonalized(true);
    must(note.state.config.personalizedMode === 'true', 'the mode is as before');
    await note.setPersonalized(false);
  },
  MOVE_NOTE_TO_TRASH: async ({ client, newNote }) => client.notes.trash(await newNote()),
  MOVE_FOLDER_TO_TRASH: async ({ client, newNote }) => {
    const folder = unique('folder');
    await newNote(`${folder}/a`);
    await client.notes.trashFolder(folder);
  },
  RESTORE_NOTE: async ({ client, newNote }) => {
    const id = await newNote();
    await client.notes.trash(id);
    await client.notes.restore(id);
  },
  RESTORE_FOLDER: async ({ client, newNote }) => {
    const folder = unique('folder');
    await newNote(`${folder}/a`);
    await client.notes.trashFolder(folder);
    await client.notes.restoreFolder(`~Trash/${folder}`);
  },
  RESTORE_ALL: async ({ client, newNote }) => {
    const id = await newNote();
    await client.notes.trash(id);
    await client.notes.restoreAll();
    must(!client.state.notes?.find((note) => note.id === id)?.path.startsWith('~Trash'), 'the note is in the trash');
  },
  EMPTY_TRASH: async ({ client, newNote }) => {
    const id = await newNote();
    await client.notes.trash(id);
    await client.notes.emptyTrash();
    must(!client.state.notes?.some((note) => note.id === id), 'the note is there');
  },
  PARAGRAPH_CLEAR_ALL_OUTPUT: async ({ open }) => {
    const note = await open();
    await run(note, '%sh\necho x');
    await note.clear();
    must(note.paragraphs[0]!.outputs.length === 0, 'there is output');
  },
  CONVERT_NOTE_NBFORMAT: async ({ open }) => {
    const notebook = JSON.parse(await (await open('%python\n1')).toNotebook()) as { nbformat?: number; cells?: unknown[] };
    must(notebook.nbformat === 4 && notebook.cells?.length === 1, `another notebook: ${JSON.stringify(notebook).slice(0, 200)}`);
  },
  CANCEL_ALL_PARAGRAPHS: async ({ open }) => {
    const note = await open('%sh\nsleep 30');
    const running = note.paragraphs[0]!.run();
    await expect.poll(() => note.paragraphs[0]!.status, { timeout: 10_000 }).toBe('RUNNING');
    // Where there is no such operation it must not run on: others wait for the interpreter.
    await note.cancelAll().catch(async (error: unknown) => {
      await note.paragraphs[0]!.cancel();
      throw error;
    });
    must((await running).status === 'ABORT', 'it was not stopped');
  },
  COMMIT_PARAGRAPH: async ({ open }) => must((await open('%md\ncommitted')).paragraphs[0]!.state.server.text === '%md\ncommitted', 'another text'),
  RUN_PARAGRAPH: async ({ open }) => {
    const result = await run(await open(), '%sh\necho ran');
    must(result.status === 'FINISHED' && result.outputs.map(outputText).join('').trim() === 'ran', result.status);
  },
  RUN_ALL_PARAGRAPHS: async ({ open }) => {
    const note = await open('%sh\necho all');
    const results = await note.run();
    must(results[0]?.status === 'FINISHED', 'it did not finish');
  },
  CANCEL_PARAGRAPH: async ({ open }) => {
    const note = await open('%sh\nsleep 30');
    const running = note.paragraphs[0]!.run();
    await expect.poll(() => note.paragraphs[0]!.status, { timeout: 10_000 }).toBe('RUNNING');
    await note.paragraphs[0]!.cancel();
    must((await running).status === 'ABORT', 'it was not stopped');
  },
  INSERT_PARAGRAPH: async ({ open }) => must((await (await open()).insert({ index: 0 })).index === 0, 'another place'),
  COPY_PARAGRAPH: async ({ open }) => {
    const copy = await (await open('%md\ncopied')).paragraphs[0]!.copy();
    await expect.poll(() => copy.text).toBe('%md\ncopied');
  },
  MOVE_PARAGRAPH: async ({ open }) => {
    const note = await open();
    const added = await note.insert();
    await added.move(0);
    must(added.index === 0, 'another place');
  },
  PARAGRAPH_REMOVE: async ({ open }) => {
    const note = await open();
    await (await note.insert()).remove();
    must(note.paragraphs.length === 1, 'it is there');
  },
  PARAGRAPH_CLEAR_OUTPUT: async ({ open }) => {
    const note = await open();
    await run(note, '%sh\necho x');
    await note.paragraphs[0]!.clear();
    must(note.paragraphs[0]!.outputs.length === 0, 'there is output');
  },
  COMPLETION: async ({ open }) => (await open('%sh\nec')).paragraphs[0]!.complete('%sh\nec', 6),
  EDITOR_SETTING: async ({ open }) => must((await (await open('%sh\nx')).paragraphs[0]!.editorSetting())?.language, 'no language'),
  SAVE_NOTE_FORMS: async ({ open }) => {
    const note = await open();
    await note.setParams({ name: 'value' });
    must(note.state.params['name'] === 'value', 'another value');
  },
  REMOVE_NOTE_FORMS: async ({ open }) => {
    const note = await open();
    await note.setParams({ name: 'value' });
    await note.removeForm('name');
    must(!('name' in note.state.forms), 'the form is there');
  },
  PATCH_PARAGRAPH: async ({ open, client, fresh, target }) => {
    const note = await open('%md\none two');
    const other = fresh();
    await target.signIn(other);
    const there = await other.open(note.id);
    await expect.poll(() => note.state.collaborative && there.state.collaborative, { timeout: 5_000 }).toBe(true);
    note.paragraphs[0]!.edit('%md\none two three');
    await expect.poll(() => there.paragraphs[0]!.text, { timeout: 5_000 }).toBe('%md\none two three');
    must(client.state.open[note.id], 'closed');
    there.close();
  },
  TIDING_PRESENCE: async ({ open, fresh, target }) => {
    const note = await open('%md\none two');
    // Elsewhere nobody is told where others are; asked for by itself it is refused.
    if (!note.context.supports('TIDING_PRESENCE')) await note.request('TIDING_PRESENCE', { noteId: note.id }, () => undefined);
    const other = fresh();
    await target.signIn(other);
    const there = await other.open(note.id);
    there.announce({ paragraphId: there.paragraphs[0]!.id, anchor: 1, head: 4 });
    await expect.poll(() => Object.values(note.state.presence).map(({ paragraphId, anchor, head }) => [paragraphId, anchor, head]), { timeout: 5_000 })
      .toEqual([[note.paragraphs[0]!.id, 1, 4]]);
    there.close();
    await expect.poll(() => Object.values(note.state.presence), { timeout: 5_000 }).toEqual([]);
  },
  TIDING_RESTORE_PARAGRAPH: async ({ open }) => {
    const note = await open('%md\none');
    // Elsewhere a removed paragraph is made anew, without this operation; asked for by itself it is refused here.
    if (!note.context.supports('TIDING_RESTORE_PARAGRAPH')) await note.request('TIDING_RESTORE_PARAGRAPH', { noteId: note.id, index: 0, paragraph: note.paragraphs[0]!.state.server }, () => undefined);
    await note.insert({ text: '%md\ntwo' });
    const removed = await note.paragraphs[0]!.remove();
    const { paragraph, whole } = await note.restore(removed);
    must(whole && paragraph.id === removed.id && paragraph.index === 0 && paragraph.text === '%md\none', 'another paragraph');
  },
  PARAGRAPH_EXECUTED_BY_SPELL: async ({ open, fresh, target }) => {
    const note = await open('%spell\nx');
    const other = fresh();
    await target.signIn(other);
    await other.open(note.id);
    const told = heard(other, 'RUN_PARAGRAPH_USING_SPELL');
    await note.paragraphs[0]!.propagate({ code: 'FINISHED', msg: [{ type: 'TEXT', data: 'from a spell' }] });
    must(JSON.stringify(await told).includes('from a spell'), 'another result');
  },
  CHECKPOINT_NOTE: async ({ open }) => {
    const note = await open('%md\ncheckpoint');
    const list = await note.revisions.checkpoint('first');
    must(list[0]?.id === 'Head' && list.some(({ message }) => message?.trim() === 'first'), 'it is not listed');
  },
  LIST_REVISION_HISTORY: async ({ open }) => must((await (await open()).revisions.list())[0]?.id === 'Head', 'no head'),
  NOTE_REVISION: async ({ open }) => {
    const note = await open('%md\nold');
    const list = await note.revisions.checkpoint('old');
    note.paragraphs[0]!.edit('%md\nnew');
    await note.commit();
    const revision = await note.revisions.get(list[1]!.id);
    must(revision.paragraphs?.[0]?.text === '%md\nold', 'another text');
  },
  NOTE_REVISION_FOR_COMPARE: async ({ open }) => {
    const note = await open('%md\nold');
    const list = await note.revisions.checkpoint('old');
    note.paragraphs[0]!.edit('%md\nnew');
    await note.commit();
    const { first, second } = await note.revisions.compare(list[1]!.id, 'Head');
    must(first.paragraphs?.[0]?.text === '%md\nold' && second.paragraphs?.[0]?.text === '%md\nnew', 'other texts');
  },
  SET_NOTE_REVISION: async ({ open }) => {
    const note = await open('%md\nold');
    const list = await note.revisions.checkpoint('old');
    note.paragraphs[0]!.edit('%md\nnew');
    await note.commit();
    await note.revisions.setHead(list[1]!.id);
    await expect.poll(() => note.paragraphs[0]!.text).toBe('%md\nold');
  },
  GET_INTERPRETER_BINDINGS: async ({ open }) => must((await (await open()).bindings()).length > 0, 'no bindings'),
  SAVE_INTERPRETER_BINDINGS: async ({ open }) => {
    const note = await open();
    const last = (await note.bindings()).at(-1)!;
    must((await note.bind([last.id])).length > 0, 'no bindings');
  },
  GET_INTERPRETER_SETTINGS: async ({ client }) => must((await client.interpreters.available()).length > 0, 'no settings'),
  LIST_NOTE_JOBS: async ({ client, open }) => {
    const note = await open();
    const { jobs, stop } = await client.jobs.watch();
    must(jobs.some(({ noteId }) => noteId === note.id), 'the note is not listed');
    stop();
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: async ({ client }) => (await client.jobs.watch()).stop(),
  LIST_UPDATE_NOTE_JOBS: async ({ client, ours }) => {
    const { stop } = await client.jobs.watch();
    const told = ours ? heard(client, 'LIST_UPDATE_NOTE_JOBS') : undefined;
    client.jobs.refresh(0);
    // Upstream has no answer to it, and needs none: its updates come by themselves.
    await told;
    stop();
  },
  ANGULAR_OBJECT_CLIENT_BIND: async ({ open }) => {
    const note = await open();
    await note.z.set('bound', 7, note.paragraphs[0]!.id);
    must(note.z.get('bound', note.paragraphs[0]!.id) === 7, 'another value');
  },
  ANGULAR_OBJECT_UPDATED: async ({ open }) => {
    const note = await open();
    await note.z.set('changed', 1, note.paragraphs[0]!.id);
    await note.z.put('changed', 2, note.paragraphs[0]!.id);
    must(note.z.get('changed', note.paragraphs[0]!.id) === 2, 'another value');
  },
  ANGULAR_OBJECT_CLIENT_UNBIND: async ({ open }) => {
    const note = await open();
    await note.z.set('gone', 7, note.paragraphs[0]!.id);
    await note.z.unset('gone', note.paragraphs[0]!.id);
    must(note.z.get('gone', note.paragraphs[0]!.id) === undefined, 'it is there');
  },
};

/** A note with one paragraph that prints a table, as ids. */
async function tableNote({ open }: Lab): Promise<{ note: Note; id: string }> {
  const note = await open();
  await run(note, "%sh\nprintf '%%table a\\tb\\n1\\t2\\n'");
  return { note, id: note.paragraphs[0]!.id };
}
const paragraphOf = async ({ newNote, client }: Lab) => {
  const noteId = await newNote();
  return { noteId, paragraphId: (await client.notes.get(noteId)).paragraphs![0]!.id };
};
/** A setting of our own making, gone afterwards. */
async function withSetting({ client }: Lab, act: (id: string) => Promise<unknown>): Promise<void> {
  const group = Object.values(await client.interpreters.templates()).map((template) => template.group ?? '').find((name) => ['sh', 'md'].includes(name))!;
  const made = await client.interpreters.create({ name: `made${randomUUID().slice(0, 6)}`, group, properties: {}, dependencies: [], option: { remote: true } });
  try {
    await act(made.id);
  } finally {
    await client.interpreters.remove(made.id).catch(() => {});
  }
}
const gone = randomUUID();

const calls: { [Name in EndpointName]: Probe } = {
  version: ({ fresh }) => fresh().connect(),
  ticket: ({ client }) => client.session.renew(),
  loginAddress: ({ client }) => refused('http', client.call('loginAddress'), [404, 405]),
  ssoLogin: async ({ client }) => must((await client.call('ssoLogin', { query: { ref: '/' } })).status < 400, 'no page'),
  ssoCallback: async ({ client }) => must((await client.call('ssoCallback', { query: { state: 'unknown' } })).status < 400, 'no page'),
  openApi: ({ client }) => client.call('openApi'),
  asyncApi: ({ client }) => client.call('asyncApi'),
  login: async ({ fresh, target, accounts }) => {
    const client = fresh();
    if (accounts) await target.signIn(client);
    // Nobody signs in there: the server has no such page.
    else await refused('http', client.session.login('a', 'b'));
  },
  loginOnce: ({ fresh }) => refused('http', fresh().session.loginOnce('unknown'), 403),
  logout: async ({ fresh, target, accounts }) => {
    const client = fresh();
    if (!accounts) return client.session.logout().catch(() => {});
    // The ticket of an upstream user is one for all his sessions, and ends with each of them.
    await (target.signInOther ?? target.signIn)(client);
    await client.session.logout();
    must(client.state.session.phase === 'signed-out', 'still signed in');
    return undefined;
  },
  magpieConfig: ({ client }) => client.administration.magpieConfig(),
  magpieVersion: ({ client }) => client.administration.productVersion(),
  listTokens: ({ client }) => client.tokens.list(),
  createToken: async ({ client }) => must((await client.tokens.create({ description: 'x' })).token, 'no secret'),
  setTokenStatus: async ({ client }) => client.tokens.setStatus((await client.tokens.create()).tokenId, 'disabled'),
  describeToken: async ({ client }) => must((await client.tokens.describe((await client.tokens.create()).tokenId, 'y')).description === 'y', 'another'),
  deleteToken: async ({ client }) => client.tokens.remove((await client.tokens.create()).tokenId),
  createEmbedToken: async ({ client, newNote, fresh }) => {
    const noteId = await newNote();
    const { token } = await client.embedTokens.create({ noteId, scope: 'view', expiresInSeconds: 60 });
    must((await fresh({ auth: { token } }).open(noteId)).paragraphs.length === 1, 'no paragraph');
  },
  revokeEmbedToken: async ({ client, newNote }) => client.embedTokens.revoke((await client.embedTokens.create({ noteId: await newNote(), scope: 'run' })).jti),
  revokeEmbedTokens: ({ client }) => client.embedTokens.revokeAll(),
  // In front of another server nobody knows who made a note: its reader says that he trusts it.
  getTrust: async ({ client, newNote }) => must(typeof (await client.call('getTrust', { params: { noteId: await newNote() } })).trusted === 'boolean', 'nothing is said'),
  setTrust: async ({ client, newNote }) => {
    const params = { noteId: await newNote() };
    must(!(await client.call('setTrust', { params, body: { trusted: false } })).trusted, 'still trusted');
    must(!(await client.call('getTrust', { params })).trusted, 'trusted again');
  },
  findPrincipals: async ({ client, accounts }) => must((await client.people.find('a')).users.length > 0 || !accounts, 'nobody'),
  principals: async ({ client }) => must((await client.people.list()).users.length > 0, 'nobody'),
  requestPasswordReset: ({ client }) => client.people.requestPasswordReset('nobody@example.org'),
  checkPasswordReset: ({ client }) => refused('http', client.people.checkPasswordReset('unknown'), 404),
  resetPassword: ({ client }) => refused('http', client.people.resetPassword('unknown', 'long-enough-it-is'), 404),
  configurations: async ({ client }) => must(Object.keys(await client.administration.configurations()).length > 3, 'no settings'),
  configurationsByPrefix: async ({ client }) => must(Object.keys(await client.administration.configurations('zeppelin.server')).every((key) => key.startsWith('zeppelin.server')), 'others'),
  clientConfiguration: ({ client }) => client.call('clientConfiguration'),
  listStorages: async ({ client }) => must((await client.administration.storages()).length > 0, 'none'),
  reloadStorages: ({ client }) => client.administration.reloadStorages(),
  // Upstream takes the name of a storage that it does not have for no change.
  updateStorage: ({ client, ours }) => (ours ? refused('http', client.administration.updateStorage('unknown', {}), 404) : client.administration.updateStorage('unknown', {})),
  setLogLevel: async ({ client, ours }) => (ours ? client.administration.setLogLevel('ERROR') : refused('http', client.call('setLogLevel', { params: { level: 'LOUD' } }), 406)),
  // A server of 0.10 that logs with another library than it expects fails here, and says so.
  getLogger: ({ client, ours }) => (ours ? client.call('getLogger', { query: {} }) : refused('http', client.call('getLogger', { query: { name: 'root' } }))),
  setLogger: ({ client, ours }) => (ours ? client.call('setLogger', { body: { name: 'root', level: 'ERROR' } }) : refused('http', client.call('setLogger', { body: { name: 'root', level: 'ERROR' } }))),
  listClusters: async ({ client }) => must((await client.clusters.list()).clusters.length > 0, 'none'),
  setCluster: async ({ client }) => {
    const [cluster] = (await client.clusters.list()).clusters;
    must((await client.clusters.use(cluster!.name)) === cluster!.clusterId, 'another');
    await client.clusters.unset();
  },
  startCluster: ({ client }) => refused('http', client.clusters.start('nowhere'), 404),
  stopCluster: ({ client }) => refused('http', client.clusters.stop('nowhere'), 404),
  getRevisionControl: ({ client }) => client.revisionControl.get(),
  setRevisionControl: ({ client }) => client.revisionControl.remove(),
  syncRevisions: ({ client }) => refused('http', client.revisionControl.sync(), 409),
  commandLine: async ({ client }) => must((await client.call('commandLine')).status < 400, 'no file'),
  checkResult: async (lab) => {
    const { note, id } = await tableNote(lab);
    must((await lab.client.results.check(`${note.id}.${id}.0`)).contentType.startsWith('text/csv'), 'another type');
  },
  getResult: async (lab) => {
    const { note, id } = await tableNote(lab);
    const { response, name } = await lab.client.results.get(`${note.id}.${id}.0`);
    must((await response.text()).replaceAll('\r', '') === 'a,b\n1,2\n' && name === 'magpie_export.csv', name);
  },
  putFile: async ({ client }) => must((await client.results.putFile('contract.csv', new TextEncoder().encode('a,b\n1,2\n'))).path, 'no path'),
  getFile: ({ client }) => refused('http', client.results.file('/nowhere.csv'), 404),

  searchNotes: async ({ client, open }) => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const note = await open(`%md\n${word}`);
    let tries = 0;
    await expect.poll(async () => {
      // Upstream's index misses a change now and then, and takes it with the next one.
      if ((tries += 1) % 20 === 0) {
        note.paragraphs[0]!.edit(`%md\n${word} ${tries}`);
        await note.commit();
      }
      return (await client.notes.search(word)).map(({ id }) => id.split('/')[0]);
    }, { timeout: 40_000, interval: 200 }).toContain(note.id);
  },
  listJobs: async ({ client }) => must(Array.isArray(await client.jobs.list()), 'no list'),
  listJobsSince: async ({ client }) => must(Array.isArray(await client.jobs.since(0)), 'no list'),
  capabilities: ({ client }) => client.call('capabilities'),
  getNoteByPath: async ({ client, newNote }) => {
    const path = unique('path');
    const id = await newNote(path);
    must((await client.notes.byPath(path)).id === id, 'another note');
  },
  setCron: async ({ open }) => {
    const note = await open();
    await note.setSchedule('0 0 0 * * ?');
    await refused('http', note.setSchedule('not a schedule'), 400);
  },
  getCron: async ({ open }) => {
    const note = await open();
    await note.setSchedule('0 0 0 * * ?', { releaseResource: true });
    must((await note.schedule())?.cron === '0 0 0 * * ?', 'another');
  },
  deleteCron: async ({ open }) => {
    const note = await open();
    await note.setSchedule('0 0 0 * * ?');
    await note.setSchedule(undefined);
    must((await note.schedule()) === undefined, 'it is there');
  },
  listNotes: async ({ client }) => must((await client.call('listNotes')).length > 0, 'none'),
  createNote: async ({ client }) => client.notes.remove(await client.call('createNote', { body: { name: unique('rest') } })),
  importNote: async ({ client }) => client.notes.remove(await client.notes.importNote({ name: unique('import'), paragraphs: [{ text: 'x' }], config: {} })),
  exportNote: async ({ client, newNote }) => must(JSON.parse(await client.notes.export(await newNote())), 'nothing'),
  runNote: async ({ client, open }) => {
    const note = await open('%sh\necho rest');
    await client.jobs.start(note.id);
    await expect.poll(() => note.paragraphs[0]!.status, { timeout: 15_000 }).toBe('FINISHED');
  },
  stopNote: async ({ open }) => {
    const note = await open('%sh\nsleep 30');
    const running = note.paragraphs[0]!.run();
    await expect.poll(() => note.paragraphs[0]!.status, { timeout: 10_000 }).toBe('RUNNING');
    await note.stop();
    must((await running).status === 'ABORT', 'it was not stopped');
  },
  noteJob: async ({ client, newNote }) => client.call('noteJob', { params: { noteId: await newNote() } }),
  paragraphJob: async (lab) => must((await lab.client.call('paragraphJob', { params: await paragraphOf(lab) })).status, 'no status'),
  startParagraph: async ({ client, open }) => {
    const note = await open('%sh\necho started');
    await client.call('startParagraph', { params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id }, body: {} });
    await expect.poll(() => note.paragraphs[0]!.status, { timeout: 15_000 }).toBe('FINISHED');
  },
  stopParagraph: async ({ client, open }) => {
    const note = await open('%sh\nsleep 30');
    const running = note.paragraphs[0]!.run();
    await expect.poll(() => note.paragraphs[0]!.status, { timeout: 10_000 }).toBe('RUNNING');
    await client.call('stopParagraph', { params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id } });
    must((await running).status === 'ABORT', 'it was not stopped');
  },
  runParagraph: async ({ client, open }) => {
    const note = await open('%sh\necho waited');
    const results = await client.call('runParagraph', { params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id }, body: {} });
    must(results.code === 'SUCCESS' && results.msg?.[0]?.data.trim() === 'waited', JSON.stringify(results));
  },
  getBindings: async ({ client, newNote }) => must((await client.call('getBindings', { params: { noteId: await newNote() } })).length > 0, 'none'),
  setBindings: async ({ client, newNote }) => client.call('setBindings', { params: { noteId: await newNote() }, body: ['sql'] }),
  listRevisions: async ({ client, newNote }) => client.call('listRevisions', { params: { noteId: await newNote() } }),
  checkpointNote: async ({ client, newNote }) => client.call('checkpointNote', { params: { noteId: await newNote() }, body: { commitMessage: 'm' } }),
  getRevision: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.call('checkpointNote', { params: { noteId }, body: { commitMessage: 'm' } });
    const [revision] = (await client.call('listRevisions', { params: { noteId } })).filter(({ id }) => id !== 'Head');
    must((await client.call('getRevision', { params: { noteId, revisionId: revision!.id } })).paragraphs?.length === 1, 'another note');
  },
  setRevision: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.call('checkpointNote', { params: { noteId }, body: { commitMessage: 'm' } });
    const [revision] = (await client.call('listRevisions', { params: { noteId } })).filter(({ id }) => id !== 'Head');
    await client.call('setRevision', { params: { noteId, revisionId: revision!.id } });
  },
  getNote: async ({ client, newNote }) => must((await client.notes.get(await newNote())).paragraphs, 'no paragraphs'),
  deleteNote: async ({ client, newNote }) => client.call('deleteNote', { params: { noteId: await newNote() } }),
  cloneNote: async ({ client, newNote }) => client.notes.remove(await client.notes.clone(await newNote(), unique('clone'))),
  clearNote: async ({ client, newNote }) => client.notes.clear(await newNote()),
  renameNote: async ({ client, newNote }) => client.call('renameNote', { params: { noteId: await newNote() }, body: { name: unique('renamed') } }),
  getPermissions: async ({ open }) => must(Array.isArray((await (await open()).permissions()).owners), 'no owners'),
  setPermissions: async ({ open, accounts, client }) => {
    const note = await open();
    const me = client.session.current!.principal;
    const all = { owners: [me], writers: [me], runners: [me], readers: [me] };
    if (accounts) await note.setPermissions(all);
    else await refused('http', note.setPermissions(all), 403).catch(() => note.setPermissions(all));
  },
  nextParagraph: async ({ client, newNote }) => must((await client.call('nextParagraph', { params: { noteId: await newNote() }, query: { maxParagraph: 10 } })).length > 5, 'no id'),
  insertParagraph: async ({ client, newNote }) => must((await client.call('insertParagraph', { params: { noteId: await newNote() }, body: { title: 't', text: 'x', index: 0 } })).length > 5, 'no id'),
  getParagraph: async (lab) => must((await lab.client.call('getParagraph', { params: await paragraphOf(lab) })).id, 'no id'),
  updateParagraph: async (lab) => {
    const params = await paragraphOf(lab);
    await lab.client.call('updateParagraph', { params, body: { text: 'updated', title: 't' } });
    must((await lab.client.call('getParagraph', { params })).text === 'updated', 'another text');
  },
  configureParagraph: async (lab) => must((await lab.client.call('configureParagraph', { params: await paragraphOf(lab), body: { colWidth: 6 } })).config?.colWidth === 6, 'another width'),
  moveParagraph: async ({ client, open }) => {
    const note = await open();
    const added = await note.insert();
    await client.call('moveParagraph', { params: { noteId: note.id, paragraphId: added.id, index: 0 } });
    await expect.poll(() => added.index).toBe(0);
  },
  deleteParagraph: async ({ client, open }) => {
    const note = await open();
    const added = await note.insert();
    await client.call('deleteParagraph', { params: { noteId: note.id, paragraphId: added.id } });
    await expect.poll(() => note.paragraphs.length).toBe(1);
  },
  listTemplates: async ({ client }) => must(Object.keys(await client.interpreters.templates()).length > 0, 'none'),
  listSettings: async ({ client }) => must((await client.interpreters.list()).length > 0, 'none'),
  createSetting: (lab) => withSetting(lab, async (id) => must(id, 'no id')),
  getSetting: async ({ client }) => must((await client.interpreters.get((await client.interpreters.list())[0]!.id)).name, 'no name'),
  updateSetting: (lab) => withSetting(lab, async (id) => lab.client.interpreters.update(id, { properties: {}, dependencies: [], option: { remote: true } })),
  deleteSetting: (lab) => withSetting(lab, async (id) => {
    await lab.client.interpreters.remove(id);
    await refused('http', lab.client.interpreters.get(id), 404);
  }),
  restartSetting: (lab) => withSetting(lab, async (id) => lab.client.interpreters.restart(id)),
  listPropertyTypes: async ({ client }) => must((await client.interpreters.propertyTypes()).includes('checkbox'), 'others'),
  listRepositories: async ({ client }) => must((await client.interpreters.repositories()).some(({ id }) => id === 'central'), 'no central'),
  addRepository: async ({ client }) => {
    await client.interpreters.addRepository({ id: `r${gone.slice(0, 6)}`, url: 'https://repo.example.org/', snapshot: false });
    must((await client.interpreters.repositories()).some(({ id }) => id === `r${gone.slice(0, 6)}`), 'not listed');
  },
  deleteRepository: ({ client }) => client.interpreters.removeRepository(`r${gone.slice(0, 6)}`),
  settingMetadata: async ({ client }) => client.interpreters.metadata((await client.interpreters.list())[0]!.id),
  installInterpreter: ({ client, ours }) => (ours ? refused('http', client.interpreters.install('unknown', 'a:b:1'), 404) : client.interpreters.install('unknown', 'a:b:1')),
  listCredentials: ({ client }) => client.credentials.list(),
  putCredential: async ({ client }) => {
    await client.credentials.put(`e.${gone}`, 'u', 'secret');
    must((await client.credentials.list())[`e.${gone}`]?.username === 'u', 'not listed');
  },
  deleteCredential: async ({ client }) => {
    await client.credentials.put(`f.${gone}`, 'u', 'secret');
    await client.credentials.remove(`f.${gone}`);
    await refused('http', client.credentials.remove(`f.${gone}`), 404);
  },
  deleteCredentials: ({ client }) => client.credentials.removeAll(),
  listSessions: async ({ client }) => must(Array.isArray(await client.interpreters.sessions()), 'no list'),
  createSession: async ({ client, ours }) => {
    const session = await client.interpreters.startSession(ours ? 'js' : 'sh', { timeout: 60_000 });
    must(session.sessionId, 'no id');
    await client.interpreters.stopSession(session.sessionId!);
  },
  getSession: ({ client }) => refused('http', client.interpreters.session('unknown')),
  deleteSession: ({ client, ours }) => (ours ? refused('http', client.interpreters.stopSession('unknown'), 404) : client.interpreters.stopSession('unknown').catch((error: unknown) => must(isHttpError(error), String(error)))),
  listPackages: ({ client }) => client.packages.list(),
  getPackage: async ({ client }) => must((await client.packages.get('unknown')).length === 0, 'there is one'),
  listEnabledPackages: async ({ client }) => must(Array.isArray(await client.packages.enabled()), 'no list'),
  loadBundle: async ({ client }) => must((await client.packages.bundle('unknown')) === undefined, 'there is one'),
  listPackageConfigs: ({ client }) => client.packages.configs(),
  getPackageConfig: ({ client }) => client.packages.config('unknown', 'unknown@1').catch((error: unknown) => must(isHttpError(error), String(error))),
  setPackageConfig: ({ client }) => client.packages.configure('unknown', 'unknown@1', {}).catch((error: unknown) => must(isHttpError(error), String(error))),
  getSpellConfig: ({ client }) => refused('http', client.packages.spellConfig('unknown'), [400, 500]),
  enablePackage: ({ client }) => refused('http', client.packages.enable('unknown', 'unknown@1')),
  disablePackage: ({ client }) => refused('http', client.packages.disable('unknown'), 404),
  getPackageOrder: async ({ client }) => must(Array.isArray(await client.packages.order()), 'no list'),
  setPackageOrder: ({ client }) => client.packages.setOrder([]),
  suggestPackages: async (lab) => {
    const { noteId, paragraphId } = await paragraphOf(lab);
    must(Array.isArray(await lab.client.packages.suggest(noteId, paragraphId)), 'no list');
  },
  loadPackage: async (lab) => {
    const { noteId, paragraphId } = await paragraphOf(lab);
    const pkg = { name: 'unknown', type: 'APPLICATION', artifact: 'unknown@1', description: '', icon: '', license: '', className: 'none' };
    const load = lab.client.packages.load(noteId, paragraphId, pkg);
    // Upstream answers an id first, and tells on the live channel that nothing can be loaded.
    await (lab.ours ? refused('http', load, 404) : load);
  },
  unloadPackage: async (lab) => {
    const { noteId, paragraphId } = await paragraphOf(lab);
    await refused(lab.ours ? 'http' : 'unsupported', lab.client.packages.unload(noteId, paragraphId, 'unknown'), 404);
  },
};

const results: Record<string, Record<string, string>> = {};

/** Registers the probes of one server, and prints their table at the end. */
export function coverage(name: string, start: () => Promise<[Target, () => Promise<void>]>, kind: { ours: boolean; accounts: boolean }): void {
  describe(`coverage: ${name}`, () => {
    let lab: Lab;
    let stop: () => Promise<void>;
    const sent = new Set<string>();
    const clients: Client[] = [];
    const notes: string[] = [];
    const column: Record<string, string> = (results[name] = {});

    const tapped: Transport = (url, events) => {
      const connection = webSocketTransport(url, events);
      return {
        ...connection,
        send(text) {
          sent.add((JSON.parse(text) as { op: string }).op);
          connection.send(text);
        },
      };
    };
    const tappedFetch: typeof fetch = (input, init) => {
      const request = new Request(input, init);
      const path = new URL(request.url).pathname.replace(/^\/api/, '');
      for (const [each, { method, path: pattern }] of Object.entries(endpoints)) {
        if (method === request.method && new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)) sent.add(each);
      }
      return fetch(request);
    };
    const fresh = (options: Partial<ClientOptions> = {}) => {
      const client = createClient({ server: lab.target.url, autosave: 0, transport: tapped, fetch: tappedFetch, ...options });
      clients.push(client);
      return client;
    };

    beforeAll(async () => {
      const [target, end] = await start();
      stop = end;
      lab = {
        target, ...kind, fresh,
        client: undefined as unknown as Client,
        async newNote(path = unique('note')) {
          const id = await lab.client.notes.create({ path });
          notes.push(id);
          return id;
        },
        async open(text) {
          const note = await lab.client.open(await lab.newNote());
          if (text !== undefined) {
            note.paragraphs[0]!.edit(text);
            await note.commit();
          }
          return note;
        },
      };
      lab.client = fresh();
      await target.signIn(lab.client);
      const warm = await lab.open();
      warm.paragraphs[0]!.edit('%sh\necho warm');
      // The first run of a process that is being started gets lost now and then.
      await warm.paragraphs[0]!.run({ timeout: 60_000 }).then(() => {}, async () => {
        await warm.paragraphs[0]!.cancel({ timeout: 20_000 }).catch(() => {});
        await warm.paragraphs[0]!.run({ timeout: 60_000 });
      });
      warm.close();
    }, 300_000);
    afterAll(async () => {
      for (const each of clients) each.close();
      await stop();
      report();
    }, 60_000);

    const judge = async (what: string, probe: Probe) => {
      sent.clear();
      try {
        await probe(lab);
        column[what] = sent.has(what) ? 'works' : 'falls short: it was not sent';
      } catch (error) {
        column[what] = isTidingError(error, 'unsupported') && error.operation !== undefined && !sent.has(what) ? 'not in this generation' : `falls short: ${String(error).slice(0, 200)}`;
      }
      expect(column[what]).not.toMatch(/^falls short/);
    };
    it.each(Object.entries(operations))('%s', { timeout: 60_000 }, judge);
    it.each(Object.entries(calls))('%s', { timeout: 60_000 }, judge);
  });
}

/** The table of all servers that were tried in this file, on the terminal and as a file. */
function report(): void {
  const columns = Object.keys(results);
  const rows = [...Object.keys(sentOperations), ...Object.keys(endpoints)].map((what) => [what, ...columns.map((column) => results[column]![what] ?? 'not tried')]);
  const text = [`| operation or call | ${columns.join(' | ')} |`, `|---|${columns.map(() => '---|').join('')}`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
  const folder = join(import.meta.dirname, '../../dist/test-results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `coverage-${columns.length}-${columns[0]!.replace(/\W+/g, '-')}.md`), `${text}\n`);
  console.log(text);
}
