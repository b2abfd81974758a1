/**
 * The promises of the client, against any compatible server. The same tests run on the embedded
 * server and on a real Zeppelin. If a generation lacks a feature, the test states the behaviour
 * instead.
 */
import { randomUUID } from 'node:crypto';
import {
  type Client,
  type ClientOptions,
  createClient,
  isHttpError,
  isTidingError,
  memoryJournal,
  type Note,
  outputText,
  type Paragraph,
  type RunEvent,
} from '@tiding/client';
import { afterAll, afterEach, it as always, beforeAll, describe, expect } from 'vitest';
import { faultyTransport } from '../support/transport.ts';

/** A server under test. */
export interface Target {
  url: string;
  /** Signs a new client in; does nothing on a server without accounts. */
  signIn(client: Client): Promise<void>;
  /** Signs in as another user, if the server has accounts. */
  signInOther?: (client: Client) => Promise<void>;
  /**
   * Restarts the interpreter: a real Zeppelin occasionally leaves runs pending forever, which
   * blocks all later tests.
   */
  mend?: () => Promise<void>;
  /** Options for every client, for example another way to reach the server. */
  options?: Partial<ClientOptions>;
}

/**
 * Registers the suite. `start` is called once and also returns a function that stops the server.
 * `lacks`: why a target cannot keep a promise, by the title of its test.
 */
export function contract(
  name: string,
  start: () => Promise<[Target, () => Promise<void>]>,
  lacks: Readonly<Record<string, string>> = {},
): void {
  describe(`contract: ${name}`, () => {
    const named = new Set<string>();
    const it = (title: string, act: () => Promise<void>): void => {
      named.add(title);
      if (Object.hasOwn(lacks, title)) always.skip(`${title} (${lacks[title]})`, act);
      else always(title, act);
    };
    /** A test with a new note and its paragraph. */
    const inNote = (title: string, act: (paragraph: Paragraph, note: Note) => Promise<void>) =>
      it(title, async () => {
        const note = await opened();
        await act(note.paragraphs[0]!, note);
        note.close();
      });
    let target: Target;
    let stop: () => Promise<void>;
    let client: Client;
    const clients: Client[] = [];
    const made: string[] = [];

    const connect = async (options: Partial<ClientOptions> = {}): Promise<Client> => {
      const fresh = createClient({
        server: target.url,
        autosave: 0,
        ...target.options,
        ...options,
      });
      clients.push(fresh);
      await target.signIn(fresh);
      return fresh;
    };
    const newNote = async (path = `contract/${randomUUID()}`) => {
      const id = await client.notes.create({ path });
      made.push(id);
      return { id, path };
    };
    /** The status of a cancelled run. Zeppelin occasionally reports an interrupt as a failure. */
    const stopped = (): RegExp =>
      client.state.server?.tiding === undefined ? /^(ABORT|ERROR)$/ : /^ABORT$/;
    const opened = async (from = client) => from.open((await newNote()).id);

    beforeAll(async () => {
      [target, stop] = await start();
      client = await connect();
      // Interpreter processes of a real Zeppelin take seconds for their first run.
      const warm = await opened();
      const paragraph = warm.paragraphs[0]!;
      paragraph.edit('%sh\necho warm');
      // The first run of a starting process occasionally gets lost.
      await paragraph.run({ timeout: 60_000 }).then(
        () => {},
        async () => {
          await paragraph.cancel({ timeout: 20_000 }).catch(() => {});
          await paragraph.run({ timeout: 60_000 });
        },
      );
      warm.close();
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail') await target.mend?.();
    });
    afterAll(async () => {
      for (const each of clients) each.close();
      await stop();
    });

    it('names its version and generation', async () => {
      const server = await client.connect();
      expect(server.version).toMatch(/^0\.\d+/);
      expect(server.generation).toBe(server.version.startsWith('0.8') ? 'A' : 'B');
    });

    it('has a ticket', async () => {
      const ticket = await client.session.ticket();
      expect(ticket.principal).not.toBe('');
      expect(client.state.session.phase).toBe('signed-in');
    });

    it('lists a note it has created, under its whole path', async () => {
      const { id, path } = await newNote();
      expect(await client.notes.list()).toContainEqual({ id, path });
    });

    it('renames, clones, trashes, restores and removes a note [D18]', async () => {
      const { id, path } = await newNote();
      await client.notes.list();
      await client.notes.rename(id, `${path}-renamed`);
      expect(client.state.notes).toContainEqual({ id, path: `${path}-renamed` });
      const copy = await client.notes.clone(id, `${path}-copy`);
      expect(await client.notes.list()).toContainEqual({ id: copy, path: `${path}-copy` });
      await client.notes.trash(id);
      expect(client.state.notes?.find((note) => note.id === id)?.path).toBe(
        `~Trash/${path}-renamed`,
      );
      await client.notes.restore(id);
      expect(client.state.notes).toContainEqual({ id, path: `${path}-renamed` });
      await client.notes.remove(copy);
      expect(client.state.notes?.some((note) => note.id === copy)).toBe(false);
    });

    it('renames and trashes a folder with everything in it [D18]', async () => {
      const folder = `folder-${randomUUID()}`;
      const { id } = await newNote(`${folder}/inner/note`);
      await client.notes.list();
      await client.notes.renameFolder(folder, `${folder}-new`);
      expect(client.state.notes).toContainEqual({ id, path: `${folder}-new/inner/note` });
      await client.notes.trashFolder(`${folder}-new`);
      expect(client.state.notes?.find((note) => note.id === id)?.path).toBe(
        `~Trash/${folder}-new/inner/note`,
      );
      await client.notes.restoreFolder(`~Trash/${folder}-new`);
      expect(client.state.notes).toContainEqual({ id, path: `${folder}-new/inner/note` });
      await client.notes.removeFolder(folder + '-new');
      expect(client.state.notes?.some((note) => note.id === id)).toBe(false);
    });

    it('restores and renames folders beside existing ones: nothing is lost', async () => {
      const folder = `folder-${randomUUID()}`;
      const [kept, trashed, moved, same] = [
        (await newNote(`${folder}/kept`)).id,
        (await newNote(`${folder}/trashed`)).id,
        (await newNote(`${folder}-other/moved`)).id,
        (await newNote(`${folder}-other/kept`)).id,
      ];
      await client.notes.list();
      const paths = () =>
        [kept, trashed, moved, same].map(
          (id) => client.state.notes?.find((note) => note.id === id)?.path,
        );
      await client.notes.trash(trashed);
      await client.notes.restoreAll();
      expect(paths().slice(0, 2)).toEqual([`${folder}/kept`, `${folder}/trashed`]);
      await client.notes.trash(trashed);
      await client.notes.restoreFolder(`~Trash/${folder}`);
      await client.notes.renameFolder(`${folder}-other`, folder);
      const merged = ['kept', 'trashed', 'moved', 'kept (1)'].map((name) => `${folder}/${name}`);
      expect(paths()).toEqual(merged);
      // Its place is taken while it is in the trash.
      await client.notes.trash(kept);
      await client.notes.rename(same, `${folder}/kept`);
      await client.notes.restore(kept);
      expect(paths()).toEqual([merged[3], merged[1], merged[2], merged[0]]);
      for (const id of [kept, trashed, moved, same]) (await client.open(id)).close();
    });

    it('opens a note and rejects an unknown one', async () => {
      const { id, path } = await newNote();
      const note = await client.open(id);
      expect(note.path).toBe(path);
      expect(note.paragraphs).toHaveLength(1);
      note.close();
      await expect(client.open('2NOSUCHID')).rejects.toSatisfy((error) => isTidingError(error));
    });

    it('comments on a paragraph, unless the server has no comments', async () => {
      const { id } = await newNote();
      const paragraphId = (await client.notes.get(id)).paragraphs![0]!.id;
      const { comments } = client;
      if (client.state.server?.tiding === undefined) {
        await expect(comments.list(id)).rejects.toSatisfy((error) => isTidingError(error));
        return;
      }
      const author = client.session.current!.principal;
      const added = await comments.add(id, { paragraphId, text: `Why, @${author}?`, quote: 'x' });
      expect(added).toMatchObject({
        thread: { paragraphId, quote: 'x', comments: [{ author, text: `Why, @${author}?` }] },
        cannotRead: [],
      });
      const { id: threadId } = added.thread;
      const { thread } = await comments.reply(id, threadId, ' Because. ');
      expect(thread.comments[1]).toMatchObject({ author, text: 'Because.' });
      await comments.edit(id, threadId, thread.comments[1]!.id, 'So.');
      expect((await comments.resolve(id, threadId)).resolvedBy).toBe(author);
      expect(await comments.list(id)).toMatchObject([
        { id: threadId, resolvedBy: author, comments: [{}, { text: 'So.' }] },
      ]);
      expect((await comments.reopen(id, threadId)).resolvedBy).toBeUndefined();
      await expect(comments.add(id, { paragraphId, text: 'x'.repeat(10_001) })).rejects.toSatisfy(
        (error) => isHttpError(error, 400),
      );
      await expect(comments.add(id, { paragraphId: 'none', text: 'x' })).rejects.toSatisfy(
        (error) => isHttpError(error, 404),
      );
      await comments.remove(id, threadId, thread.comments[1]!.id);
      await comments.remove(id, threadId, threadId);
      expect(await comments.list(id)).toEqual([]);
    });

    inNote('inserts, edits, commits, moves, copies and removes paragraphs', async (_, note) => {
      const second = await note.insert({ text: '%sh\necho second', title: 'Second' });
      expect(second.index).toBe(1);
      expect(second.text).toBe('%sh\necho second');
      const first = note.paragraphs[0]!;
      first.edit('%md\n# First');
      expect(note.dirty).toBe(true);
      await first.commit();
      expect(note.dirty).toBe(false);
      expect(first.state.server.text).toBe('%md\n# First');
      await second.move(0);
      expect(note.paragraphs.map(({ id }) => id)).toEqual([second.id, first.id]);
      const copy = await second.copy();
      expect(copy.index).toBe(1);
      await expect.poll(() => copy.text).toBe('%sh\necho second');
      await copy.remove();
      expect(note.paragraphs.map(({ id }) => id)).toEqual([second.id, first.id]);
    });

    inNote('keeps the last paragraph [W81]', async (_, note) => {
      await expect(note.paragraphs[0]!.remove()).rejects.toThrow(
        "All the paragraphs can't be deleted.",
      );
    });

    inNote('waits for the end of a run, and shows its output', async (paragraph, note) => {
      paragraph.edit('%sh\necho one; echo two');
      const result = await paragraph.run();
      expect(result.status).toBe('FINISHED');
      expect(result.outputs.map((output) => output.type)).toEqual(['TEXT']);
      expect(outputText(result.outputs[0]!).trim()).toBe('one\ntwo');
      expect(note.dirty).toBe(false);
    });

    inNote('streams output during the run, each piece once', async (paragraph) => {
      paragraph.edit('%sh\nfor i in 1 2 3 4; do echo line $i; sleep 0.4; done');
      let streamed = '';
      const statuses: string[] = [];
      let beforeEnd = 0;
      for await (const event of paragraph.run()) {
        if (event.type === 'output') streamed = event.data;
        if (event.type === 'append') streamed += event.data;
        if (event.type === 'status') statuses.push(event.status);
        if (event.type === 'result') beforeEnd = streamed.split('\n').filter(Boolean).length;
      }
      expect(statuses[0]).toBe('PENDING');
      expect(statuses.at(-1)).toBe('FINISHED');
      expect(beforeEnd).toBeGreaterThanOrEqual(2);
      expect(outputText(paragraph.outputs[0]!).trim()).toBe('line 1\nline 2\nline 3\nline 4');
    });

    inNote('ends a failing run as ERROR, with the output before it', async (paragraph) => {
      paragraph.edit('%sh\necho before; exit 3');
      const result = await paragraph.run();
      expect(result.status).toBe('ERROR');
      expect(result.outputs.map(outputText).join('\n')).toContain('before');
      expect(result.error).toBeTruthy();
    });

    inNote('ends a run of an unknown interpreter as ERROR', async (paragraph) => {
      paragraph.edit('%nosuchinterpreter\nx');
      const result = await paragraph.run();
      expect(result.status).toBe('ERROR');
      expect(result.error).toMatch(/nosuchinterpreter not found/);
    });

    inNote('cancels a run, and frees the interpreter', async (paragraph) => {
      paragraph.edit('%sh\necho started; sleep 60');
      const run = paragraph.run();
      await expect.poll(() => paragraph.outputs.map(outputText).join('')).toContain('started');
      await paragraph.cancel();
      expect((await run).status).toMatch(stopped());
      paragraph.edit('%sh\necho free');
      expect((await paragraph.run()).status).toBe('FINISHED');
    });

    inNote('cancels by AbortSignal, and when the loop over a run is left', async (paragraph) => {
      paragraph.edit('%sh\necho started; sleep 60');
      const controller = new AbortController();
      const run = paragraph.run({ signal: controller.signal });
      // Upstream loses a run that is cancelled before its process has started, and its interpreter
      // with it.
      await expect.poll(() => paragraph.outputs.map(outputText).join('')).toContain('started');
      controller.abort();
      await expect(Promise.resolve(run)).rejects.toSatisfy((error) =>
        isTidingError(error, 'aborted'),
      );
      await expect.poll(() => paragraph.status).toMatch(stopped());
      paragraph.edit('%sh\necho go; sleep 60');
      for await (const event of paragraph.run())
        if (event.type === 'append' || (event.type === 'output' && event.data !== '')) break;
      await expect.poll(() => paragraph.status).toMatch(stopped());
    });

    inNote('refuses a paragraph that is already running [W50]', async (paragraph) => {
      paragraph.edit('%sh\nsleep 1');
      const run = paragraph.run();
      await expect.poll(() => paragraph.status).toMatch(/PENDING|RUNNING/);
      await expect(Promise.resolve(paragraph.run())).rejects.toThrow('already running');
      expect((await run).status).toBe('FINISHED');
    });

    inNote('shows tables, and returns the last one as Arrow', async (paragraph) => {
      paragraph.edit("%sh\nprintf '%%table name\\tvalue\\na\\t1\\nb\\t2.5\\n'");
      const result = await paragraph.run();
      expect(result.outputs.map((output) => output.type)).toEqual(['TABLE']);
      const table = await result.table();
      expect(table.numRows).toBe(2);
      expect(table.schema.fields.map((field) => field.name)).toEqual(['name', 'value']);
      expect(table.getChild('value')?.get(1)).toBe(2.5);
    });

    inNote('keeps several outputs of one run apart', async (paragraph) => {
      paragraph.edit("%sh\nprintf 'text\\n%%html <b>bold</b>\\n%%table a\\n1\\n'");
      const result = await paragraph.run();
      expect(result.outputs.map((output) => output.type)).toEqual(['TEXT', 'HTML', 'TABLE']);
      expect(outputText(result.outputs[1]!).trim()).toBe('<b>bold</b>');
    });

    inNote('clears the output of a paragraph and of the note', async (paragraph, note) => {
      paragraph.edit('%sh\necho x');
      await paragraph.run();
      await paragraph.clear();
      expect(paragraph.outputs).toEqual([]);
      await paragraph.run();
      expect(paragraph.outputs).toHaveLength(1);
      await note.clear();
      await expect.poll(() => paragraph.outputs).toEqual([]);
    });

    inNote('runs the whole note in order, and stops at the first failure', async (_, note) => {
      const texts = ['%sh\necho 1', '%sh\necho 2; exit 1', '%sh\necho 3'];
      note.paragraphs[0]!.edit(texts[0]!);
      await note.commit();
      await note.insert({ text: texts[1]! });
      await note.insert({ text: texts[2]! });
      const ended: string[] = [];
      const run = note.run();
      for await (const event of run) if (event.type === 'result') ended.push(event.result.status);
      const results = await run;
      expect(results.map(({ status }) => status)).toEqual(['FINISHED', 'ERROR']);
      expect(note.paragraphs[2]!.outputs).toEqual([]);
    });

    it('saves presentation settings and shows them immediately', async () => {
      const note = await opened();
      const paragraph = note.paragraphs[0]!;
      const saved = paragraph.configure({ colWidth: 6, editorHide: true });
      expect(paragraph.state.server.config).toMatchObject({ colWidth: 6, editorHide: true });
      await saved;
      note.close();
      const again = await client.open(note.id);
      expect(again.paragraphs[0]!.state.server.config).toMatchObject({
        colWidth: 6,
        editorHide: true,
      });
      again.close();
    });

    inNote('fills the forms in a text with their values', async (paragraph) => {
      paragraph.edit('%sh\necho "${greeting=hello} ${name=world}"');
      expect(outputText((await paragraph.run()).outputs[0]!).trim()).toBe('hello world');
      expect(Object.keys(paragraph.state.server.settings?.forms ?? {})).toEqual([
        'greeting',
        'name',
      ]);
      expect(
        outputText((await paragraph.run({ params: { name: 'you' } })).outputs[0]!).trim(),
      ).toBe('hello you');
    });

    inNote('notifies a second client of changes by the first', async (_, note) => {
      const other = await connect();
      const there = await other.open(note.id);
      const paragraph = note.paragraphs[0]!;
      paragraph.edit('%sh\necho shared');
      await paragraph.commit();
      await expect.poll(() => there.paragraphs[0]!.text).toBe('%sh\necho shared');
      await paragraph.run();
      await expect
        .poll(() => there.paragraphs[0]!.outputs.map(outputText).join('').trim())
        .toBe('shared');
      const added = await there.insert();
      await expect.poll(() => note.paragraphs.map(({ id }) => id)).toContain(added.id);
    });

    inNote('never overwrites unsaved text [S78]', async (_, note) => {
      const other = await connect();
      const there = await other.open(note.id);
      const [mine, theirs] = [note.paragraphs[0]!, there.paragraphs[0]!];
      mine.edit('%sh\na\nb\nc');
      await mine.commit();
      await expect.poll(() => theirs.text).toBe('%sh\na\nb\nc');
      mine.edit('%sh\na mine\nb\nc');
      theirs.edit('%sh\na\nb\nc theirs');
      await theirs.commit();
      // Edits of different lines merge; text typed here is kept in any case.
      await expect.poll(() => mine.text).toBe('%sh\na mine\nb\nc theirs');
      await mine.commit();
      await expect.poll(() => theirs.text).toBe('%sh\na mine\nb\nc theirs');
      mine.edit('%sh\nA\nb\nc theirs');
      theirs.edit('%sh\nB\nb\nc theirs');
      if (mine.state.server.rev !== undefined) {
        // The server puts both edits of one word in an order.
        await Promise.all([mine.commit(), theirs.commit()]);
        await expect.poll(() => mine.text).toMatch(/^%sh\n(AB|BA)\nb\nc theirs$/);
        await expect.poll(() => theirs.text).toBe(mine.text);
        expect([mine.state.conflict, theirs.state.conflict]).toEqual([undefined, undefined]);
        return;
      }
      // Typed text is sent automatically. If that happens before a commit, its author gets the
      // conflict.
      const [asked, others, own, foreign] = await theirs.commit().then(
        () => [mine, theirs, 'A', 'B'] as const,
        (error: unknown) => {
          if (!isTidingError(error, 'conflict')) throw error;
          return [theirs, mine, 'B', 'A'] as const;
        },
      );
      await expect.poll(() => asked.state.conflict?.theirs).toBe(`%sh\n${foreign}\nb\nc theirs`);
      expect(asked.text).toBe(`%sh\n${own}\nb\nc theirs`);
      await asked.keepMine();
      await expect.poll(() => others.state.server.text).toBe(`%sh\n${own}\nb\nc theirs`);
    });

    it('gives no client the answer for another', async () => {
      // A server that does not name replies cannot tell identical requests of one user apart.
      if (!client.state.server?.namesReplies) return;
      const note = await opened();
      const there = await (await connect()).open(note.id);
      const made = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          (n % 2 === 0 ? note : there).insert({ index: 1, title: `T${n}` }),
        ),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(12);
      await expect
        .poll(() => made.map(({ id }) => note.paragraph(id).title))
        .toEqual(made.map((_, n) => `T${n}`));
      await Promise.all([
        expect(note.paragraphs[0]!.move(99)).rejects.toThrow(
          'Paragraph index 99 is outside this note.',
        ),
        note.paragraphs[0]!.complete('x', 1),
        note.insert(),
      ]);
      note.close();
    });

    it('has several notes open at the same time, each on its own channel', async () => {
      const [a, b] = [await opened(), await opened()];
      a.paragraphs[0]!.edit('%sh\nsleep 0.5; echo a');
      b.paragraphs[0]!.edit('%sh\necho b');
      const [first, second] = await Promise.all([a.paragraphs[0]!.run(), b.paragraphs[0]!.run()]);
      expect(first.outputs.map(outputText).join('').trim()).toBe('a');
      expect(second.outputs.map(outputText).join('').trim()).toBe('b');
      a.close();
      b.close();
    });

    it('shares one channel between opens of the same note', async () => {
      const { id } = await newNote();
      const [a, b] = await Promise.all([client.open(id), client.open(id)]);
      expect(b).toBe(a);
      a.close();
      expect(client.state.open[id]).toBeDefined();
      b.close();
      expect(client.state.open[id]).toBeUndefined();
    });

    it('resumes a note after a lost connection, in the middle of a run [S74]', async () => {
      const network = faultyTransport(target.options?.transport);
      const lame = await connect({ transport: network.transport, backoff: () => 100 });
      const note = await lame.open((await newNote()).id);
      const paragraph = note.paragraphs[0]!;
      paragraph.edit('%sh\nfor i in 1 2 3 4 5; do echo $i; sleep 0.4; done');
      const run = paragraph.run();
      // The events of the run, combined: nothing is missing and nothing is duplicated.
      let received = '';
      const loop = (async () => {
        for await (const event of run) {
          if (event.type === 'output' && event.index === 0) received = event.data;
          if (event.type === 'append' && event.index === 0) received += event.data;
        }
      })();
      await expect.poll(() => paragraph.status).toMatch(/RUNNING|PENDING/);
      await expect.poll(() => received).toMatch(/^1/);
      network.online = false;
      network.cut();
      await new Promise((resolve) => setTimeout(resolve, 500));
      paragraph.edit('%sh\necho typed while away');
      network.online = true;
      const result = await run;
      expect(result.status).toBe('FINISHED');
      expect(result.outputs.map(outputText).join('').trim()).toBe('1\n2\n3\n4\n5');
      await loop;
      expect(received.trim()).toBe('1\n2\n3\n4\n5');
      expect(paragraph.text).toBe('%sh\necho typed while away');
      await paragraph.commit();
      expect(paragraph.state.server.text).toBe('%sh\necho typed while away');
    });

    inNote('ends a wait at its time limit and by its signal', async (_, note) => {
      const controller = new AbortController();
      controller.abort();
      await expect(note.insert({}, { signal: controller.signal })).rejects.toSatisfy((error) =>
        isTidingError(error, 'aborted'),
      );
      await expect(client.notes.rename('2NOSUCHID', 'x', { timeout: 1_000 })).rejects.toSatisfy(
        (error) => isTidingError(error, 'timeout') || isTidingError(error, 'not-found'),
      );
    });

    it('imports a note file and exports it again', async () => {
      const name = `contract/import-${randomUUID()}`;
      const source = {
        name,
        paragraphs: [
          { text: '%sh\necho imported', config: { colWidth: 4 } },
          { text: '%md\nsecond' },
        ],
        config: {},
      };
      const id = await client.notes.importNote(JSON.stringify(source));
      const note = await client.open(id);
      expect(note.path).toBe(name);
      expect(note.paragraphs.map(({ text }) => text)).toEqual([
        '%sh\necho imported',
        '%md\nsecond',
      ]);
      const back = JSON.parse(await client.notes.export(id)) as {
        paragraphs: { text: string; config: { colWidth?: number } }[];
      };
      expect(back.paragraphs.map(({ text }) => text)).toEqual([
        '%sh\necho imported',
        '%md\nsecond',
      ]);
      expect(back.paragraphs[0]!.config.colWidth).toBe(4);
      await expect(client.notes.importNote('{')).rejects.toThrow('JSON parse exception');
      await expect(client.notes.importNote('{"paragraphs":[]}')).rejects.toThrow('Invalid JSON');
      note.close();
    });

    it('sets permissions', async () => {
      if (client.session.current?.principal === 'anonymous') return;
      const note = await opened();
      const me = client.session.current!.principal;
      await note.setPermissions({ owners: [me], writers: [me], runners: [me], readers: [me] });
      expect(await note.permissions()).toMatchObject({ owners: [me], readers: [me] });
      if (target.signInOther) {
        const stranger = createClient({ server: target.url, ...target.options });
        clients.push(stranger);
        await target.signInOther(stranger);
        await expect(stranger.open(note.id)).rejects.toSatisfy(
          (error) => isTidingError(error, 'forbidden') || isTidingError(error, 'server'),
        );
        expect((await stranger.notes.list()).some(({ id }) => id === note.id)).toBe(false);
      }
      note.close();
    });

    it('emits unknown messages as events, and continues', async () => {
      const events: string[] = [];
      const off = client.on('event', (event) => events.push(event.type));
      const note = await opened();
      (note.channel as unknown as { send(op: string, data: object): void }).send(
        'NO_SUCH_OPERATION',
        {},
      );
      await expect.poll(() => events).toContain('ERROR_INFO');
      const kinds: RunEvent['type'][] = [];
      note.paragraphs[0]!.edit('%sh\necho still here');
      for await (const event of note.paragraphs[0]!.run()) kinds.push(event.type);
      expect(kinds.at(-1)).toBe('result');
      off();
      note.close();
    });

    it('saves typed text before signing out, and leaves no local copy [S73]', async () => {
      const journal = memoryJournal();
      const leaving = await connect({ journal });
      const principal = leaving.session.current!.principal;
      const note = await leaving.open((await newNote()).id);
      note.paragraphs[0]!.edit('%sh\necho last words');
      await note.commit();
      note.paragraphs[0]!.edit('%sh\necho very last words');
      expect(await journal.list('')).toHaveLength(1);
      if (principal === 'anonymous') return;
      await leaving.session.logout();
      expect(await journal.list('')).toEqual([]);
      expect(leaving.state.session.phase).toBe('signed-out');
      // On a real Zeppelin one sign-out ends all sessions of the user, so this test is the last
      // one.
      const again = await (await connect()).open(note.id);
      expect(again.paragraphs[0]!.text).toBe('%sh\necho very last words');
      again.close();
    });

    always('lists only existing tests as lacking', () => {
      expect(Object.keys(lacks).filter((title) => !named.has(title))).toEqual([]);
    });
  });
}
