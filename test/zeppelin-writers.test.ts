/**
 * Pages of Zeppelin and of this project edit and run one paragraph at random. Pages of Zeppelin
 * send whole texts and patches without their base. What such a page shows when it runs is what
 * runs, besides changes that it has not received. Nothing that was deleted comes back, nothing is
 * there twice, nothing is lost, and all pages end with the same text. `SEED=…` chooses the first
 * seed; `SEEDS=20` and `OPERATIONS=1000` are the long run.
 */
import { type Client, createClient, type Note, type Paragraph } from '@tiding/client';
import { applyTextPatch, makeTextPatch } from '@tiding/client/changes';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { type Frame, login } from './support/raw.ts';
import { generator, seedOfRun } from './support/seed.ts';
import { untilEnd } from './support/until-end.ts';

const first = seedOfRun(20261128);
const SEEDS = Array.from({ length: Number(process.env['SEEDS'] ?? 2) }, (_, n) => first + n);
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 250);

const embedded = untilEnd(await startEmbedded());
const { identity } = await login(embedded.server.url);

/** Characters for private use: no letters, so that each is a word when texts are compared. */
const FIRST_SYMBOL = 0xe000;
const symbolsIn = (text: string) => [...text].filter((each) => each.charCodeAt(0) >= FIRST_SYMBOL);

/** What happened to the symbols of a paragraph. */
class Ledger {
  /** Symbols that were sent to the server, and were not refused. */
  readonly typed = new Set<string>();
  /** Symbols that an edit has deleted. */
  readonly removed = new Set<string>();
  /** Symbols that an edit has deleted which was not refused. */
  readonly surelyRemoved = new Set<string>();
  readonly wrong: string[] = [];
  /** Mark of the run that a page asked for last. */
  lastRun = '';
  #stored: string[] = [];
  readonly #gone = new Set<string>();
  count = 0;

  symbol(): string {
    return String.fromCharCode(FIRST_SYMBOL + this.count++);
  }

  /** Checks each text that the server stores. */
  store(text: string): void {
    const symbols = symbolsIn(text);
    const back = symbols.filter((symbol) => this.#gone.has(symbol));
    const twice = symbols.filter((symbol, at) => symbols.indexOf(symbol) !== at);
    if (back.length + twice.length > 0)
      this.wrong.push(`stored: ${text} (back: ${back.join('')}, twice: ${twice.join('')})`);
    for (const symbol of this.#stored) if (!symbols.includes(symbol)) this.#gone.add(symbol);
    this.#stored = symbols;
  }

  /** Checks the text at the end. */
  end(text: string): void {
    const symbols = new Set(symbolsIn(text));
    const lost = [...this.typed].filter((each) => !symbols.has(each) && !this.removed.has(each));
    const kept = [...this.surelyRemoved].filter((each) => symbols.has(each));
    if (lost.length + kept.length > 0)
      this.wrong.push(`end: ${text} (lost: ${lost.join('')}, kept: ${kept.join('')})`);
  }
}

/** A run that a page has asked for. */
interface AskedRun {
  /** A symbol that no other text has. */
  readonly mark: string;
  readonly text: string;
  /** Symbols that the page had received. */
  readonly received: ReadonlySet<string>;
  /** Symbols that the page had deleted. */
  readonly removed: Set<string>;
}

/** A page of Zeppelin that shows one paragraph. */
class ZeppelinPage {
  /** The server answers a request that it received before as it did then. */
  readonly #name = crypto.randomUUID();
  readonly #noteId: string;
  readonly #id: string;
  readonly #ledger: Ledger;
  #socket!: WebSocket;
  #count = 0;
  readonly #onNote: (() => void)[] = [];
  /** The text that it received or sent last. */
  #base = '';
  text = '';
  readonly #received = new Set<string>();
  readonly #removed = new Set<string>();
  readonly runs = new Map<string, AskedRun>();
  /** New and removed symbols of requests that may be refused. */
  readonly #asked = new Map<string, { added: string[]; removed: string[] }>();
  checked = 0;
  onText: (text: string) => void = () => {};

  constructor(noteId: string, id: string, ledger: Ledger) {
    this.#noteId = noteId;
    this.#id = id;
    this.#ledger = ledger;
  }

  async open(): Promise<void> {
    // Edits that the server has not handled yet would count as another user's.
    if (this.#socket) await this.reload();
    this.#socket?.terminate();
    this.runs.clear();
    this.#received.clear();
    this.#removed.clear();
    const socket = new WebSocket(`${embedded.server.url.replace('http', 'ws')}/ws`);
    this.#socket = socket;
    await new Promise((resolve) => socket.once('open', resolve));
    socket.on('message', (raw) => this.#receive(JSON.parse(String(raw)) as Frame));
    await this.reload();
  }

  /** Loads the note again; resolves when it is there. */
  reload(): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#onNote.push(resolve));
    this.#send('GET_NOTE', { id: this.#noteId });
    return loaded;
  }

  #send(op: string, data: object): string {
    const msgId = `${op} ${this.#name} ${(this.#count += 1)}`;
    this.#socket.send(JSON.stringify({ op, data, msgId, ...identity }));
    return msgId;
  }

  #receive({ op, data, msgId = '' }: Frame): void {
    if (op === 'PATCH_PARAGRAPH') {
      const text = applyTextPatch(this.#base, String(data['patch']));
      if (text !== undefined) this.#show(text, true);
    }
    // If the next run has begun when the message of the end is written, that one tells of the next.
    if (op === 'PARAGRAPH_UPDATE_OUTPUT') this.#ran(String(data['data']));
    if (op === 'NOTE') this.#onNote.shift()?.();
    if (op === 'ERROR_INFO') {
      const { added = [], removed = [] } = this.#asked.get(msgId) ?? {};
      for (const symbol of added) this.#ledger.typed.delete(symbol);
      for (const symbol of removed) {
        this.#removed.delete(symbol);
        for (const run of this.runs.values()) run.removed.delete(symbol);
      }
      for (const key of [...this.runs.keys()])
        if (key === msgId || (!msgId && key.startsWith('RUN_ALL'))) this.runs.delete(key);
    }
    const { paragraphs = [] } = (data['note'] ?? {}) as { paragraphs?: (typeof data)[] };
    const paragraph = [data['paragraph'] as typeof data | undefined, ...paragraphs].find(
      (each) => each?.['id'] === this.#id,
    );
    if (!paragraph) return;
    this.#show(String(paragraph['text']));
    if (/FINISHED|ERROR/.test(String(paragraph['status'])))
      this.#ran(JSON.stringify(paragraph['results']));
  }

  /** Checks the runs that have made an output. */
  #ran(output: string): void {
    for (const [key, run] of this.runs) {
      if (!output.includes(run.mark)) continue;
      this.runs.delete(key);
      this.#check(run, output);
    }
  }

  #show(text: string, isPatched = false): void {
    const own = isPatched ? this.#base : '';
    for (const symbol of symbolsIn(text)) if (!own.includes(symbol)) this.#received.add(symbol);
    this.text = this.#base = text;
    this.onText(text);
  }

  #check({ text, received, removed }: AskedRun, output: string): void {
    this.checked += 1;
    const [shown, ran] = [symbolsIn(text), symbolsIn(output)];
    const more = ran.filter(
      (symbol) => (received.has(symbol) || removed.has(symbol)) && !shown.includes(symbol),
    );
    const less = shown.filter(
      (symbol) => !ran.includes(symbol) && !this.#ledger.removed.has(symbol),
    );
    if (more.length + less.length > 0)
      this.#ledger.wrong.push(`${text}: runs with ${more.join('')}, without ${less.join('')}`);
  }

  /** Notes what its edit changes, and returns its new and removed symbols. */
  #edits(isSure: boolean): { added: string[]; removed: string[] } {
    const [before, after] = [symbolsIn(this.#base), symbolsIn(this.text)];
    const removed = before.filter((symbol) => !after.includes(symbol));
    for (const symbol of removed) {
      this.#removed.add(symbol);
      this.#ledger.removed.add(symbol);
      if (isSure) this.#ledger.surelyRemoved.add(symbol);
    }
    this.#base = this.text;
    const added = after.filter((symbol) => !before.includes(symbol));
    for (const symbol of added) this.#ledger.typed.add(symbol);
    return { added, removed };
  }

  get isSaved(): boolean {
    return this.text === this.#base;
  }

  /** Sends the whole text. */
  save(): void {
    this.#edits(true);
    this.#send('COMMIT_PARAGRAPH', this.#content());
  }

  run(op: 'RUN_PARAGRAPH' | 'RUN_ALL_PARAGRAPHS'): void {
    const mark = this.#ledger.symbol();
    this.#ledger.lastRun = mark;
    this.text += mark;
    const [received, removed] = [new Set(this.#received), new Set(this.#removed)];
    const edits = this.#edits(false);
    const { text } = this;
    const data =
      op === 'RUN_PARAGRAPH'
        ? this.#content()
        : { noteId: this.#noteId, paragraphs: JSON.stringify([this.#content()]) };
    const msgId = this.#send(op, data);
    this.#asked.set(msgId, edits);
    this.runs.set(msgId, { mark, text, received, removed });
  }

  #content(): object {
    const { text: paragraph } = this;
    return {
      id: this.#id,
      noteId: this.#noteId,
      title: '',
      paragraph,
      config: {},
      params: {},
    };
  }

  patch(): void {
    const patch = makeTextPatch(this.#base, this.text);
    if (patch === '') return;
    const edits = this.#edits(false);
    const data = { id: this.#id, noteId: this.#noteId, patch };
    this.#asked.set(this.#send('PATCH_PARAGRAPH', data), edits);
  }

  /** Resolves when it has received what the server has sent so far. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once('pong', () => resolve());
      this.#socket.ping();
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}

describe.each(SEEDS)('pages of Zeppelin that edit and run with others (seed %i)', (seed) => {
  it.each([1, 2, 3])(
    'run what they show if there are %i',
    { timeout: 60_000 + OPERATIONS * 60, retry: 0 },
    async (count) => {
      const next = generator(seed + count);
      const below = (limit: number) => Math.floor(next() * limit);
      const ledger = new Ledger();
      const clients: Client[] = [];
      const notes: Note[] = [];
      for (let n = 0; n < 2; n += 1) {
        clients.push(createClient({ server: embedded.server.url, autosave: 50 }));
        await clients[n]!.session.login('admin', ADMIN_PASSWORD);
      }
      const noteId = await clients[0]!.notes.create({ path: crypto.randomUUID() });
      for (const client of clients) notes.push(await client.open(noteId));
      const paragraph = (n: number) => notes[n]!.paragraphs[0]!;
      paragraph(0).edit('%md\n');
      await paragraph(0).commit();
      const { id } = paragraph(0);
      const pages = Array.from({ length: count }, () => new ZeppelinPage(noteId, id, ledger));
      // It edits nothing, and receives each text that is stored.
      const observer = new ZeppelinPage(noteId, id, new Ledger());
      observer.onText = (text) => ledger.store(text);
      for (const page of [...pages, observer]) await page.open();

      /** Returns a text with a new symbol, or without some. */
      const edited = (text: string): string => {
        const at = 4 + below(text.length - 3);
        if (next() < 0.7) return text.slice(0, at) + ledger.symbol() + text.slice(at);
        return text.slice(0, at) + text.slice(at + below(4));
      };
      const typeInto = (own: Paragraph): void => {
        const [before, after] = [symbolsIn(own.text), edited(own.text)];
        for (const symbol of before) {
          if (after.includes(symbol)) continue;
          ledger.removed.add(symbol);
          ledger.surelyRemoved.add(symbol);
        }
        for (const symbol of symbolsIn(after))
          if (!before.includes(symbol)) ledger.typed.add(symbol);
        own.edit(after);
      };
      for (let step = 0; step < OPERATIONS; step += 1) {
        const page = pages[below(count)]!;
        const own = below(2);
        const dice = next();
        if (dice < 0.5) {
          page.text = edited(page.text);
          if (page === pages[0]) page.patch();
        } else if (dice < 0.6) page.save();
        else if (dice < 0.67) page.run('RUN_PARAGRAPH');
        else if (dice < 0.7) page.run('RUN_ALL_PARAGRAPHS');
        else if (dice < 0.77) void page.reload();
        else if (dice < 0.78) await page.open();
        else if (dice < 0.93) typeInto(paragraph(own));
        else if (dice < 0.97)
          void paragraph(own)
            .commit()
            .catch(() => {});
        else if (dice < 0.98)
          void paragraph(own)
            .run()
            .catch(() => {});
        else {
          await paragraph(own).commit();
          notes[own]!.close();
          notes[own] = await clients[own]!.open(noteId);
        }
        const pause = next();
        if (pause < 0.3) await new Promise((resolve) => setTimeout(resolve, below(20)));
        else if (pause < 0.8) await page.settled();
      }
      for (const page of pages) if (!page.isSaved) page.save();
      await Promise.all([paragraph(0).commit(), paragraph(1).commit()]);
      // When the server has handled all requests and runs nothing any more, each run was seen,
      // except on a busy machine one that the next follows at once.
      await Promise.all(pages.map((page) => page.reload()));
      const statusOf = async () =>
        (await clients[0]!.notes.get(noteId)).paragraphs!.find((each) => each.id === id)!.status;
      await expect.poll(statusOf).toMatch(/FINISHED|ERROR|ABORT/);
      const waits = () =>
        pages.some(({ runs }) => [...runs.values()].some(({ mark }) => mark === ledger.lastRun));
      await expect.poll(waits).toBe(false);
      // The answers follow those to all edits.
      await Promise.all(pages.map((page) => page.reload()));
      const shown = () =>
        new Set([paragraph(0), paragraph(1), observer, ...pages].map((each) => each.text));
      await expect.poll(() => shown().size).toBe(1);
      ledger.end(observer.text);
      const checked = pages.reduce((sum, page) => sum + page.checked, 0);
      console.log(`seed ${seed}, ${count} pages: ${ledger.count} symbols, ${checked} runs checked`);
      expect(
        { wrong: ledger.wrong, isChecked: checked > OPERATIONS / 250 },
        `seed ${seed}`,
      ).toEqual({ wrong: [], isChecked: true });
      for (const each of [...clients, ...pages, observer]) each.close();
    },
  );
});
