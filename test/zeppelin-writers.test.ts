/**
 * Pages of Zeppelin and of this project edit and run one paragraph at random. Pages of Zeppelin
 * send whole texts and patches without their base. What such a page shows when it runs is what
 * runs, besides changes that it has not received. `SEED=…` chooses the first seed; `SEEDS=20` and
 * `OPERATIONS=1000` are the long run.
 */
import { type Client, createClient, type Note } from '@tiding/client';
import { applyTextPatch, makeTextPatch } from '@tiding/client/changes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { type Frame, type Login, login } from './support/raw.ts';
import { seedOfRun } from './support/seed.ts';
import { generator } from './support/writers.ts';

const first = seedOfRun(20261128);
const SEEDS = Array.from({ length: Number(process.env['SEEDS'] ?? 2) }, (_, n) => first + n);
const OPERATIONS = Number(process.env['OPERATIONS'] ?? 250);

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let identity: Login['identity'];
beforeAll(async () => {
  embedded = await startEmbedded();
  ({ identity } = await login(embedded.server.url, 'admin', ADMIN_PASSWORD));
});
afterAll(() => embedded?.stop());

/** Each is a word of its own for the server, which compares texts word by word. */
const FIRST_SYMBOL = 0x2190;
const symbolsIn = (text: string) => [...text].filter((each) => each.charCodeAt(0) >= FIRST_SYMBOL);

/** A run that a page has asked for: its text, and the symbols that the page had received. */
interface AskedRun {
  readonly text: string;
  readonly received: ReadonlySet<string>;
  isAccepted: boolean;
}

/** A page of Zeppelin that shows one paragraph. */
class ZeppelinPage {
  readonly #noteId: string;
  readonly #id: string;
  #socket!: WebSocket;
  #count = 0;
  readonly #onNote: (() => void)[] = [];
  #sent = '';
  text = '';
  /** All symbols that it has received or typed. */
  readonly received = new Set<string>();
  readonly runs = new Map<string, AskedRun>();
  readonly wrong: string[] = [];
  /** Symbols that edits have deleted, and that pages still showed and sent after that. */
  readonly #removed: Set<string>;
  readonly #again: Set<string>;
  checked = 0;

  constructor(noteId: string, id: string, removed: Set<string>, again: Set<string>) {
    this.#noteId = noteId;
    this.#id = id;
    this.#removed = removed;
    this.#again = again;
  }

  async open(): Promise<void> {
    // Edits that the server has not handled yet would count as another user's.
    if (this.#socket) await this.reload();
    this.#socket?.terminate();
    this.runs.clear();
    this.received.clear();
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
    const msgId = `${op} ${(this.#count += 1)}`;
    this.#socket.send(JSON.stringify({ op, data, msgId, ...identity }));
    return msgId;
  }

  #receive({ op, data, msgId = '' }: Frame): void {
    if (op === 'PATCH_PARAGRAPH') {
      const patch = String(data['patch']);
      this.#show(applyTextPatch(this.text, patch));
    }
    if (op === 'NOTE') this.#onNote.shift()?.();
    if (op === 'ERROR_INFO') this.runs.delete(msgId);
    const { paragraphs = [] } = (data['note'] ?? {}) as { paragraphs?: (typeof data)[] };
    const paragraph = [data['paragraph'] as typeof data | undefined, ...paragraphs].find(
      (each) => each?.['id'] === this.#id,
    );
    if (!paragraph) return;
    const text = String(paragraph['text']);
    for (const symbol of symbolsIn(text)) this.received.add(symbol);
    this.#show(text);
    const run = this.runs.get(msgId);
    // A run may begin before the result of the one before it is sent.
    if (paragraph['status'] === 'PENDING')
      for (const [key, each] of this.runs) if (each.isAccepted) this.runs.delete(key);
    if (run) run.isAccepted = true;
    if (!/FINISHED|ERROR/.test(String(paragraph['status']))) return;
    for (const [key, each] of this.runs) {
      if (!each.isAccepted) continue;
      this.runs.delete(key);
      this.#check(each, JSON.stringify(paragraph['results']));
    }
  }

  #show(text = this.text): void {
    this.text = this.#sent = text;
    for (const symbol of symbolsIn(text)) this.received.add(symbol);
  }

  #check({ text, received }: AskedRun, output: string): void {
    this.checked += 1;
    const [shown, ran] = [symbolsIn(text), symbolsIn(output)];
    const more = ran.filter(
      (symbol) => received.has(symbol) && !shown.includes(symbol) && !this.#again.has(symbol),
    );
    const less = shown.filter((symbol) => !ran.includes(symbol) && !this.#removed.has(symbol));
    if (more.length + less.length > 0)
      this.wrong.push(`${text}: runs with ${more.join('')}, without ${less.join('')}`);
  }

  type(text: string): void {
    for (const symbol of symbolsIn(text)) this.received.add(symbol);
    this.text = text;
  }

  /** Notes what its text changes; `before` has the symbols that it replaces. */
  #edits(before: Iterable<string>): void {
    for (const symbol of before) if (!this.text.includes(symbol)) this.#removed.add(symbol);
    for (const symbol of symbolsIn(this.text))
      if (this.#removed.has(symbol)) this.#again.add(symbol);
  }

  /** Sends the whole text. */
  save(op: 'COMMIT_PARAGRAPH' | 'RUN_PARAGRAPH'): void {
    const { text, received } = this;
    this.#edits(received);
    const data = { id: this.#id, noteId: this.#noteId, title: '', paragraph: text };
    const msgId = this.#send(op, { ...data, config: {}, params: {} });
    this.#sent = text;
    if (op === 'RUN_PARAGRAPH')
      this.runs.set(msgId, { text, received: new Set(received), isAccepted: false });
  }

  patch(): void {
    const patch = makeTextPatch(this.#sent, this.text);
    if (patch === '') return;
    this.#edits(this.#sent);
    this.#send('PATCH_PARAGRAPH', { id: this.#id, noteId: this.#noteId, patch });
    this.#sent = this.text;
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
    {
      timeout: 60_000 + OPERATIONS * 60,
      retry: 0,
    },
    async (count) => {
      const next = generator(seed + count);
      const below = (limit: number) => Math.floor(next() * limit);
      const typed = new Set<string>();
      const [removed, again] = [new Set<string>(), new Set<string>()];
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
      const pages = Array.from(
        { length: count },
        () => new ZeppelinPage(noteId, paragraph(0).id, removed, again),
      );
      for (const page of pages) await page.open();

      /** Returns a text with a new symbol, or without some. */
      const edited = (text: string): string => {
        const at = 4 + below(text.length - 3);
        if (next() < 0.7) {
          const symbol = String.fromCharCode(FIRST_SYMBOL + typed.size);
          typed.add(symbol);
          return text.slice(0, at) + symbol + text.slice(at);
        }
        const end = at + below(4);
        for (const each of symbolsIn(text.slice(at, end))) removed.add(each);
        return text.slice(0, at) + text.slice(end);
      };
      for (let step = 0; step < OPERATIONS; step += 1) {
        const page = pages[below(count)]!;
        const own = below(2);
        const dice = next();
        if (dice < 0.7) await page.settled();
        if (dice < 0.5) {
          page.type(edited(page.text));
          if (page === pages[0]) page.patch();
        } else if (dice < 0.6) page.save('COMMIT_PARAGRAPH');
        else if (dice < 0.7) page.save('RUN_PARAGRAPH');
        else if (dice < 0.77) void page.reload();
        else if (dice < 0.78) await page.open();
        else if (dice < 0.93) paragraph(own).edit(edited(paragraph(own).text));
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
        if (next() < 0.3) await new Promise((resolve) => setTimeout(resolve, below(20)));
      }
      await Promise.all([paragraph(0).commit(), paragraph(1).commit()]);
      await expect.poll(() => paragraph(0).text === paragraph(1).text).toBe(true);
      await expect.poll(() => pages.map(({ runs }) => runs.size)).toEqual(pages.map(() => 0));
      const checked = pages.reduce((sum, page) => sum + page.checked, 0);
      console.log(`seed ${seed}, ${count} pages: ${typed.size} symbols, ${checked} runs checked`);
      const text = paragraph(0).text;
      expect(
        {
          wrong: pages.flatMap(({ wrong }) => wrong),
          isChecked: checked > OPERATIONS / 250,
          // Two pages that still show a deleted symbol may both send it again.
          twice:
            count > 1 ? [] : symbolsIn(text).filter((each, at, all) => all.indexOf(each) !== at),
        },
        `seed ${seed}`,
      ).toEqual({ wrong: [], isChecked: true, twice: [] });
      for (const each of [...clients, ...pages]) each.close();
    },
  );
});
