/**
 * Simulates several users who edit one note at random. Each types letters that nobody else types,
 * and adds, removes and moves paragraphs; connections break and pages reload. At the end every
 * letter must be in a place where a user finds it.
 */
import {
  type Client,
  isTidingError,
  type Journal,
  memoryJournal,
  type Note,
  type ParagraphSnapshot,
  paragraphText,
  type Transport,
  webSocketTransport,
} from '@tiding/client';
import { UndoStack } from '../../elements/note/undo-stack.ts';
import { LetterTrace } from './letter-trace.ts';
import { generator } from './seed.ts';

/** Returns letters, each once: 37,000 characters that no text rule or magic affects. */
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

const texts = ({ state }: ParagraphSnapshot): string[] => [
  state.draft ?? '',
  state.server.text ?? '',
  state.conflict?.theirs ?? '',
];

interface WorldOptions {
  readonly seed: number;
  readonly writers: number;
  /** A client of the server under test, signed in. */
  readonly connect: (options: {
    transport: (inner?: Transport) => Transport;
    journal: Journal;
  }) => Promise<Client>;
  readonly noteId: string;
  /** Names of actions in {@link World.counts}, to allow only these. */
  readonly only?: readonly string[];
  /**
   * Resolves conflicts by choosing one text instead of merging both, because a merge may change the
   * order of common letters.
   */
  readonly choose?: boolean;
  /** Returns the next letter to type; by default each is typed once. */
  readonly letter?: () => string;
  /** Everybody types in the last line: nobody adds a line. */
  readonly oneLine?: boolean;
  /** Maximum delay of a frame in each direction, in ms. Frames do not overtake each other. */
  readonly latency?: number;
}

/** Runs actions in order, each after a delay. */
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
    // Timers may fire in any order; actions run in the order they were added.
    setTimeout(() => this.#acts.shift()!(), wait);
  }
}

/** One user and their page. */
class Writer {
  readonly #wait: () => number;
  readonly journal = memoryJournal();
  readonly #links = new Set<() => void>();
  /** The connection is half open: frames of both directions are lost without notice. */
  deaf = false;
  /** The page is loading: its note is closed, and the next one is not open yet. */
  loading = false;
  /** Called with each frame to and from the server. */
  onFrame: ((way: string, text: string) => void) | undefined;
  client!: Client;
  note!: Note;
  undo!: UndoStack;

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
            if (over || this.deaf) return;
            this.onFrame?.('<', String(text));
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
            this.onFrame?.(over || this.deaf ? '>|' : '>', text);
            if (!over && !this.deaf) connection.send(text);
          }),
        close: (code, reason) => connection.close(code, reason),
      };
    };

  /** Breaks every connection of the page. With `deaf`, its last frames are lost too. */
  cut(): void {
    for (const link of [...this.#links]) link();
  }
}

/** The simulated world; see the comment at the top of this file. */
export class World {
  readonly #options: WorldOptions;
  readonly #random: () => number;
  readonly #letter: () => string;
  /** Actions in order: user, action, paragraph, and the letters that were added or removed. */
  readonly #story: string[] = [];
  readonly writers: Writer[] = [];
  readonly typed = new Set<string>();
  typedLetters = 0;
  /** Letters that a user deleted on purpose. */
  readonly deleted = new Set<string>();
  /** Undo stacks of reloaded pages. */
  readonly discardedUndo: UndoStack[] = [];
  readonly counts: Record<string, number> = {};
  readonly failures: Record<string, number> = {};
  readonly #trace = process.env['TRACE'] ? new LetterTrace() : undefined;
  readonly #busy = new Map<Promise<unknown>, string>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#random = generator(options.seed);
    this.#letter = options.letter ?? letters();
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  async start(): Promise<void> {
    for (let n = 0; n < this.#options.writers; n += 1) {
      const writer = new Writer(() =>
        this.#options.latency ? 1 + this.#below(this.#options.latency) : 0,
      );
      if (this.#trace) writer.onFrame = (way, text) => this.#trace!.addFrame(String(n), way, text);
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
    writer.undo = new UndoStack(writer.note, Infinity);
  }

  #later(name: string, work: Promise<unknown>): void {
    const done = work.catch((error: unknown) => {
      this.#trace?.addFrame(name, '!', String(error));
      // Errors that the user sees and can recover from. Any other error is a defect.
      if (!isTidingError(error) && !/can't be undone|cannot be undone/.test(String(error)))
        throw error;
      const reason = isTidingError(error)
        ? `${error.code} ${error.message.replace(/\d{6,}-\d+_\d+|[A-Z0-9]{9}/g, '…')}`
        : String(error);
      const key = `${name}: ${reason}`;
      this.failures[key] = (this.failures[key] ?? 0) + 1;
    });
    this.#busy.set(done, name);
    void done.then(
      () => this.#busy.delete(done),
      () => {},
    );
  }

  /** Performs one random action. */
  step(): void {
    const writer = this.writers[this.#below(this.writers.length)]!;
    const { note, undo } = writer;
    // A page that is loading has no note to type into.
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
      `${this.writers.indexOf(writer)} ${name} ${paragraph.id} ` +
        [...this.typed].slice(before).join(''),
    );
  }

  /**
   * Actions in the paragraph where a letter was typed, from then on; with `TRACE=1` also its trace
   * through the pages.
   */
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
    undo: UndoStack,
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
    // Not into the magic, which would change the interpreter.
    const start = text.startsWith('%md\n') ? 4 : 0;
    // Users continue where they are more often than they start elsewhere.
    const at = this.#random() < 0.4 ? text.length : start + this.#below(text.length - start + 1);
    const piece = Array.from({ length: 1 + this.#below(3) }, this.#letter);
    for (const letter of piece) this.typed.add(letter);
    this.typedLetters += piece.length;
    const breaks = !this.#options.oneLine && this.#random() < 0.15 ? '\n' : '';
    paragraph.edit(text.slice(0, at) + piece.join('') + breaks + text.slice(at));
  }

  /** Moves text typed in a removed paragraph to another paragraph, as a user would do. */
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
    // Sometimes the last frames are lost.
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
    this.discardedUndo.push(writer.undo);
    writer.loading = true;
    writer.note.close();
    await this.#open(writer);
    writer.loading = false;
  }

  /** Waits until nothing is in progress and everything that can be saved is saved. */
  async settle(limit = 60_000): Promise<void> {
    const end = Date.now() + limit;
    for (;;) {
      const late = new Promise<'late'>(
        (resolve) => void setTimeout(() => resolve('late'), Math.max(0, end - Date.now())).unref(),
      );
      while (this.#busy.size > 0)
        if ((await Promise.race([Promise.all(this.#busy.keys()), late])) === 'late')
          throw new Error(`work is still unfinished: ${this.#unfinished()}`);
      if (Date.now() > end) throw new Error(`work is still unfinished: ${this.#unfinished()}`);
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

  /** Describes unfinished work. */
  #unfinished(): string {
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

  /** The saved texts that a page shows. */
  static pageOf({ note }: { note: Note }): [string, string][] {
    return note.paragraphs
      .filter(({ state }) => !state.removed)
      .map(({ id, state }) => [id, state.server.text ?? '']);
  }

  /** Texts of paragraphs, saved or typed, that contain a letter twice. */
  twice(): string[] {
    return this.writers
      .filter(({ loading }) => !loading)
      .flatMap(({ note }) => note.paragraphs)
      .flatMap(({ text, state }) => [text, state.server.text ?? ''])
      .filter((text) =>
        [...text].some((letter, at) => letter > '\u4dff' && text.indexOf(letter) !== at),
      );
  }

  /** Letters that were lost. */
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
    this.discardedUndo
      .flatMap(({ held }) => held)
      .flatMap(texts)
      .forEach(see);
    return [...this.typed].filter((letter) => !this.deleted.has(letter) && !found.has(letter));
  }
}
