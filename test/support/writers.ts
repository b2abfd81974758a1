/**
 * Several people at work on one note, at random: each types letters that nobody else has, and changes which paragraphs there
 * are; connections break, pages are loaded anew. At the end every letter must be somewhere a person finds it.
 */
import {
  isTidingError,
  memoryJournal,
  paragraphText,
  webSocketTransport,
  type Client,
  type Journal,
  type Note,
  type Snapshot,
  type Transport,
} from 'tiding/client';
import { Undo } from '../../elements/note/undo.ts';
import { LetterTrace } from './letter-trace.ts';

/** A small generator with a seed, so that a failure can be repeated. */
export function generator(from: number): () => number {
  let state = from;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Letters that are typed once each: 37,000 that no rule of a text or a magic touches. */
export function letters(): () => string {
  const ranges = [
    [0x4e00, 0x9fa5],
    [0xac00, 0xd7a3],
    [0xe000, 0xf8ff],
  ] as const;
  let [range, next] = [0, ranges[0][0] as number];
  return () => {
    if (next > ranges[range]![1]) next = ranges[(range += 1)]![0];
    return String.fromCharCode(next++);
  };
}

const texts = ({ state }: Snapshot): string[] => [
  state.draft ?? '',
  state.server.text ?? '',
  state.conflict?.theirs ?? '',
];

/** How the world is made. */
export interface WorldOptions {
  readonly seed: number;
  readonly writers: number;
  /** A client of the server under test, signed in. */
  readonly connect: (options: {
    transport: (inner?: Transport) => Transport;
    journal: Journal;
  }) => Promise<Client>;
  readonly noteId: string;
  /** What they do, where it is not everything: names of {@link World.counts}. */
  readonly only?: readonly string[];
  /** Of the texts of a conflict one is taken, and never made one of both: that may put what both have into another order. */
  readonly choose?: boolean;
  /** The longest that a frame is on its way, in ms, each way; none overtakes another. */
  readonly latency?: number;
}

/** Does things in the order in which they came, each after a while. */
class Delay {
  readonly #wait: () => number;
  readonly #acts: (() => void)[] = [];

  constructor(wait: () => number) {
    this.#wait = wait;
  }

  later(act: () => void): void {
    const wait = this.#wait();
    if (wait === 0) return act();
    this.#acts.push(act);
    // Whichever timer is first does what came first.
    setTimeout(() => this.#acts.shift()!(), wait);
  }
}

/** One person and the page. */
class Writer {
  readonly #wait: () => number;
  readonly journal = memoryJournal();
  readonly #links = new Set<() => void>();
  deaf = false;
  /** The page is on its way: its note is closed, the next one not open yet. */
  loading = false;
  /** Told of what goes to the server and comes from it. */
  hear: ((way: string, text: string) => void) | undefined;
  client!: Client;
  note!: Note;
  undo!: Undo;

  constructor(wait: () => number) {
    this.#wait = wait;
  }

  transport =
    (inner: Transport = webSocketTransport): Transport =>
    (url, events) => {
      let over = false;
      const [to, from] = [new Delay(this.#wait), new Delay(this.#wait)];
      const close = (code: number, reason: string) => {
        if (over) return;
        over = true;
        this.#links.delete(cut);
        events.onClose(code, reason);
      };
      const connection = inner(url, {
        onOpen: () => over || events.onOpen(),
        onMessage: (text) =>
          from.later(() => {
            if (over) return;
            this.hear?.('<', String(text));
            events.onMessage(text);
          }),
        onClose: close,
      });
      const cut = () => {
        close(1006, '');
        connection.close();
      };
      this.#links.add(cut);
      return {
        ...connection,
        send: (text) =>
          to.later(() => {
            this.hear?.(over || this.deaf ? '>|' : '>', text);
            if (!over && !this.deaf) connection.send(text);
          }),
        close: (code, reason) => connection.close(code, reason),
      };
    };

  /** Breaks every connection of the page; `deaf`: what it said a moment before has not arrived either. */
  cut(): void {
    for (const link of [...this.#links]) link();
  }
}

/** See the head of this file. */
export class World {
  readonly #options: WorldOptions;
  readonly #random: () => number;
  readonly #letter = letters();
  /** What was done, in order: who, what, where, and which letters came or went. */
  readonly #story: string[] = [];
  readonly writers: Writer[] = [];
  readonly typed = new Set<string>();
  /** Letters that a person has deleted on purpose. */
  readonly deleted = new Set<string>();
  /** Of pages that were loaded anew. */
  readonly buried: Undo[] = [];
  readonly counts: Record<string, number> = {};
  readonly failures: Record<string, number> = {};
  readonly #trace = process.env['TRACE'] ? new LetterTrace() : undefined;
  readonly #busy = new Map<Promise<unknown>, string>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = generator(options.seed);
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  async start(): Promise<void> {
    for (let n = 0; n < this.#options.writers; n += 1) {
      const writer = new Writer(() =>
        this.#options.latency ? 1 + this.#below(this.#options.latency) : 0,
      );
      if (this.#trace) writer.hear = (way, text) => this.#trace!.hear(String(n), way, text);
      writer.client = await this.#options.connect({
        transport: writer.transport,
        journal: writer.journal,
      });
      this.#trace?.watch(String(n), writer.client, this.#options.noteId);
      await this.#open(writer);
      this.writers.push(writer);
    }
  }

  async #open(writer: Writer): Promise<void> {
    writer.note = await writer.client.open(this.#options.noteId, { timeout: 60_000 });
    writer.undo = new Undo(writer.note, Infinity);
  }

  #later(name: string, work: Promise<unknown>): void {
    const done = work.catch((error: unknown) => {
      this.#trace?.hear(name, '!', String(error));
      // What a person is told of, and can do again. Anything else is a fault of ours.
      if (!isTidingError(error) && !/cannot be undone/.test(String(error))) throw error;
      const key = `${name}: ${isTidingError(error) ? `${error.code} ${error.message.replace(/\d{6,}-\d+_\d+|[A-Z0-9]{9}/g, '…')}` : String(error)}`;
      this.failures[key] = (this.failures[key] ?? 0) + 1;
    });
    this.#busy.set(done, name);
    void done.then(
      () => this.#busy.delete(done),
      () => {},
    );
  }

  /** Does one thing. */
  step(): void {
    const writer = this.writers[this.#below(this.writers.length)]!;
    const { note, undo } = writer;
    // Who is loading the page anew has nothing to type into.
    if (writer.loading) return;
    const live = note.paragraphs.filter(({ state }) => !state.removed);
    const paragraph = live[this.#below(live.length)];
    if (!paragraph) return;
    const dice = this.#random();
    const { conflict } = paragraph.state;
    if (conflict && dice < 0.5) {
      this.#story.push(`${this.writers.indexOf(writer)} resolve ${paragraph.id} `);
      return this.#resolve(writer, paragraph.id);
    }
    const [name, act] = this.#choose(dice * 1000, writer, live.length, paragraph.id, note, undo);
    if (this.#options.only && !this.#options.only.includes(name)) return;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    const before = this.typed.size;
    act();
    this.#story.push(
      `${this.writers.indexOf(writer)} ${name} ${paragraph.id} ${[...this.typed].slice(before).join('')}`,
    );
  }

  /** What was done where a letter was typed, from then on; with `TRACE=1` also its way through the pages. */
  story(letter: string): string[] {
    const from = this.#story.findIndex((line) => line.split(' ').at(-1)!.includes(letter));
    const id = this.#story[from]?.split(' ').at(-2) ?? '';
    return [
      ...this.#story
        .slice(from)
        .filter((line) => line.includes(id))
        .slice(0, 60),
      ...(this.#trace?.of(letter) ?? []),
    ];
  }

  #choose(
    dice: number,
    writer: Writer,
    count: number,
    id: string,
    note: Note,
    undo: Undo,
  ): [string, () => void] {
    const paragraph = note.paragraph(id);
    const place = this.#below(count + 1);
    const many = count > 24;
    const few = count < 4;
    const rows: [number, string, () => void][] = [
      [600, 'type', () => this.#type(writer, id)],
      [640, 'rescue', () => this.#rescue(writer, id)],
      [700, 'delete text', () => this.#deleteText(writer, id)],
      [780, 'commit', () => this.#later('commit', paragraph.commit())],
      [820, 'insert', () => many || this.#later('insert', undo.insert(place, '%md\n'))],
      [845, 'remove', () => few || this.#later('remove', undo.remove(id))],
      [870, 'move', () => this.#later('move', undo.move(id, Math.min(place, count - 1)))],
      [880, 'copy', () => many || this.#later('copy', undo.copy(id))],
      [
        900,
        'join',
        () => {
          const next = note.state.order[paragraph.index + 1];
          if (!few && next !== undefined) this.#later('join', undo.join(id, next));
        },
      ],
      [
        925,
        'split',
        () => many || this.#later('split', undo.split(id, this.#below(paragraph.text.length + 1))),
      ],
      [930, 'run', () => this.#later('run', Promise.resolve(note.run({ timeout: 30_000 })))],
      [942, 'cut', () => this.#cut(writer)],
      [952, 'reload', () => this.#later('reload', this.#reload(writer))],
      [985, 'undo', () => undo.state.get().undo === 'keepMine' || this.#later('undo', undo.undo())],
      [
        1000,
        'redo',
        () => undo.state.get().redo === 'keepMine' || this.#later('redo', undo.redo()),
      ],
    ];
    const row = rows.find(([to]) => dice < to)!;
    return [row[1], row[2]];
  }

  #type(writer: Writer, id: string): void {
    const paragraph = writer.note.paragraph(id);
    const { text } = paragraph;
    // Not into the magic: it would name another interpreter.
    const start = text.startsWith('%md\n') ? 4 : 0;
    // People go on where they are more often than they begin elsewhere.
    const at = this.#random() < 0.4 ? text.length : start + this.#below(text.length - start + 1);
    const piece = Array.from({ length: 1 + this.#below(3) }, this.#letter);
    for (const letter of piece) this.typed.add(letter);
    const breaks = this.#random() < 0.15 ? '\n' : '';
    paragraph.edit(text.slice(0, at) + piece.join('') + breaks + text.slice(at));
  }

  /** What was typed in a paragraph that somebody has removed goes into another, as a person would do it. */
  #rescue({ note }: Writer, id: string): void {
    const orphan = note.paragraphs.find(({ state }) => state.removed);
    if (!orphan) return;
    const paragraph = note.paragraph(id);
    const there = new Set(paragraph.text);
    paragraph.edit(
      paragraph.text + [...orphan.text].filter((letter) => !there.has(letter)).join(''),
    );
    orphan.discard();
  }

  #deleteText(writer: Writer, id: string): void {
    const paragraph = writer.note.paragraph(id);
    const { text } = paragraph;
    const from = 4 + this.#below(Math.max(1, text.length - 4));
    const to = Math.min(text.length, from + 1 + this.#below(3));
    if (from >= to) return;
    for (const letter of text.slice(from, to)) this.deleted.add(letter);
    paragraph.edit(text.slice(0, from) + text.slice(to));
  }

  #resolve({ note, undo }: Writer, id: string): void {
    const { state, text } = note.paragraph(id);
    const way = this.#below(this.#options.choose ? 2 : 3);
    this.counts['resolve'] = (this.counts['resolve'] ?? 0) + 1;
    if (way === 0) return this.#later('take theirs', undo.takeTheirs(id));
    if (way === 1) return this.#later('keep mine', undo.keepMine(id));
    const mine = new Set(text);
    note
      .paragraph(id)
      .edit(text + [...state.conflict!.theirs].filter((letter) => !mine.has(letter)).join(''));
    this.#later('merge', note.paragraph(id).keepMine());
  }

  #cut(writer: Writer): void {
    // Now and then what was said last never arrives.
    if (this.#random() < 0.5) return writer.cut();
    writer.deaf = true;
    this.#later(
      'cut',
      new Promise<void>((resolve) =>
        setTimeout(() => {
          writer.deaf = false;
          writer.cut();
          resolve();
        }, this.#below(150)),
      ),
    );
  }

  async #reload(writer: Writer): Promise<void> {
    this.buried.push(writer.undo);
    writer.loading = true;
    writer.note.close();
    await this.#open(writer);
    writer.loading = false;
  }

  /** Waits until nothing is under way and everything that can be saved is. */
  async settle(limit = 60_000): Promise<void> {
    const end = Date.now() + limit;
    for (;;) {
      const late = new Promise<'late'>(
        (resolve) => void setTimeout(() => resolve('late'), Math.max(0, end - Date.now())).unref(),
      );
      while (this.#busy.size > 0)
        if ((await Promise.race([Promise.all(this.#busy.keys()), late])) === 'late')
          throw new Error(`it does not come to rest: ${this.#restless()}`);
      if (Date.now() > end) throw new Error(`it does not come to rest: ${this.#restless()}`);
      let waiting = false;
      for (const writer of this.writers) {
        writer.client.wake();
        const { note } = writer;
        const open = note.paragraphs.filter(
          ({ state }) => state.draft !== undefined && !state.conflict && !state.removed,
        );
        waiting ||=
          open.length > 0 ||
          note.state.connection !== 'open' ||
          note.state.sequential ||
          note.paragraphs.some(({ status }) => status === 'RUNNING' || status === 'PENDING');
        for (const paragraph of open)
          if (!note.state.sequential && note.state.connection === 'open')
            this.#later('last commit', paragraph.commit());
      }
      if (!waiting && this.#busy.size === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** What has not come to rest. */
  #restless(): string {
    const of = ({ client, note, loading }: Writer, at: number) => {
      if (loading) return { at, session: client.state.session.phase, loading };
      const { connection, sequential, phase } = note.state;
      const busy = note.paragraphs
        .filter(
          ({ state, status }) =>
            state.draft !== undefined || status === 'RUNNING' || status === 'PENDING',
        )
        .map(({ id, status, state }) => ({
          id,
          status,
          draft: state.draft?.length,
          conflict: state.conflict !== undefined,
          removed: state.removed,
          inFlight: state.inFlight.length,
          error: state.commitError,
        }));
      return { at, session: client.state.session.phase, connection, sequential, phase, busy };
    };
    return JSON.stringify({ under: [...this.#busy.values()], writers: this.writers.map(of) });
  }

  /** What a page shows as saved: the note itself. */
  static pageOf({ note }: { note: Note }): [string, string][] {
    return note.paragraphs
      .filter(({ state }) => !state.removed)
      .map(({ id, state }) => [id, state.server.text ?? '']);
  }

  /** Texts of paragraphs, as saved or as typed, in which a letter stands twice. */
  twice(): string[] {
    return this.writers
      .filter(({ loading }) => !loading)
      .flatMap(({ note }) => note.paragraphs)
      .flatMap(({ text, state }) => [text, state.server.text ?? ''])
      .filter((text) =>
        [...text].some((letter, at) => letter > '\u4dff' && text.indexOf(letter) !== at),
      );
  }

  /** Letters that are nowhere. */
  async lost(): Promise<string[]> {
    const found = new Set<string>();
    const see = (text: string) => {
      for (const letter of text) found.add(letter);
    };
    for (const { note, undo, journal } of this.writers) {
      for (const { state } of note.paragraphs)
        [paragraphText(state), state.server.text ?? '', state.conflict?.theirs ?? ''].forEach(see);
      undo.held.flatMap(texts).forEach(see);
      (await journal.list('')).forEach(({ text }) => see(text));
    }
    this.buried
      .flatMap(({ held }) => held)
      .flatMap(texts)
      .forEach(see);
    return [...this.typed].filter((letter) => !this.deleted.has(letter) && !found.has(letter));
  }
}
