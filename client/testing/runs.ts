/** Runs of paragraphs and whole notes on the memory server. */

import { magicOf, splitMagic } from '../model/notes/magic.ts';
import { createDisplayParser } from '../model/text/display-parser.ts';
import {
  applyChange,
  applyFields,
  filledForms,
  lastRunStarts,
  type ParagraphContent,
  paragraphOf,
  Refusal,
  runEnd,
  runStart,
  runWholeNote,
  type StoredNote,
  type StoredParagraph,
} from '../notebook/index.ts';
import type { NoteRun, ResultMessage } from '../protocol/index.ts';
import type { MemoryOutput } from './contract.ts';
import type { World } from './world.ts';

const APPENDABLE = new Set(['TEXT', 'TABLE']);

interface Listener {
  update(index: number, type: string, data: string): void;
  append(index: number, data: string): void;
}

/** The outputs of one run; each chunk is sent as it arrives. */
class Outputs {
  readonly messages: ResultMessage[] = [];
  readonly #listener: Listener;
  #parser = this.#newParser();

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  #newParser() {
    let type = 'TEXT';
    let fresh = true;
    return createDisplayParser((event) => {
      if (event.kind === 'start') [type, fresh] = [event.type, true];
      else {
        this.#push(type, event.data, fresh);
        fresh = false;
      }
    });
  }

  #push(type: string, data: string, fresh: boolean): void {
    if (data === '') return;
    if (fresh) this.messages.push({ type, data: '' });
    const index = this.messages.length - 1;
    const message = this.messages[index]!;
    message.data += data;
    if (!APPENDABLE.has(type)) return this.#listener.update(index, type, message.data);
    if (fresh) this.#listener.update(index, type, '');
    this.#listener.append(index, data);
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  add(type: string, data: string): void {
    this.end();
    this.#push(type, data, true);
  }

  end(): void {
    this.#parser.end();
    this.#parser = this.#newParser();
  }
}

const cell = (value: unknown): string => String(value ?? '').replace(/[\t\r\n]+/g, ' ');

/** Starts and cancels runs. */
export class MemoryRuns {
  readonly #world: World;
  readonly #running = new Map<
    StoredParagraph,
    { abort: AbortController; end: Promise<void>; progress: number }
  >();
  readonly #notes = new Map<StoredNote, AbortController>();
  readonly #history = new WeakMap<StoredNote, NoteRun[]>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the last fifty runs of the whole note, oldest first. */
  history(note: StoredNote): readonly NoteRun[] {
    return this.#history.get(note) ?? [];
  }

  isSequential(note: StoredNote): boolean {
    return this.#notes.has(note);
  }

  progress(paragraph: StoredParagraph): number {
    return this.#running.get(paragraph)?.progress ?? (paragraph.status === 'READY' ? 0 : 100);
  }

  /** Starts a run; PENDING has been sent when this returns. `end` resolves when it is over. */
  start(
    note: StoredNote,
    id: string,
    content: ParagraphContent,
    principal: string,
    msgId?: string,
  ): { end: Promise<void> } {
    const paragraph = paragraphOf(note, id);
    const { fields, isEnabled } = runStart(paragraph, content, principal, this.#world.rules);
    if (isEnabled) lastRunStarts.set(note, Date.now());
    const change = { paragraphs: new Map([[paragraph, fields]]), changesJob: true };
    this.#world.make(note, { ...change, messages: [{ op: 'PARAGRAPH', paragraph }] }, { msgId });
    if (!isEnabled) return { end: Promise.resolve() };
    const abort = new AbortController();
    const run = { abort, progress: 0, end: Promise.resolve() };
    this.#running.set(paragraph, run);
    run.end = this.#run(note, paragraph, abort.signal, (percent) => (run.progress = percent));
    return { end: run.end };
  }

  async #run(
    note: StoredNote,
    paragraph: StoredParagraph,
    signal: AbortSignal,
    progress: (percent: number) => void,
  ): Promise<void> {
    const where = { noteId: note.id, paragraphId: paragraph.id };
    const outputs = new Outputs({
      update: (index, type, data) =>
        this.#world.sendToViewers(note.id, 'PARAGRAPH_UPDATE_OUTPUT', {
          ...where,
          index,
          type,
          data,
        }),
      append: (index, data) =>
        this.#world.sendToViewers(note.id, 'PARAGRAPH_APPEND_OUTPUT', { ...where, index, data }),
    });
    let over = false;
    const taken = (act: () => void) => void (over || signal.aborted || act());
    const out: MemoryOutput = {
      signal,
      text: (text) => taken(() => outputs.write(text)),
      html: (html) => taken(() => outputs.add('HTML', html)),
      table: (columns, rows) =>
        taken(() =>
          outputs.add(
            'TABLE',
            [columns, ...rows].map((row) => `${row.map(cell).join('\t')}\n`).join(''),
          ),
        ),
      progress: (percent) =>
        taken(() => {
          progress(percent);
          this.#world.sendToViewers(note.id, 'PROGRESS', { id: paragraph.id, progress: percent });
        }),
    };
    const began = performance.now();
    let failure: string | undefined;
    try {
      await Promise.race([
        this.#execute(note, paragraph, out),
        new Promise((resolve) => signal.addEventListener('abort', resolve)),
      ]);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    outputs.end();
    if (failure !== undefined && !signal.aborted) outputs.add('TEXT', failure);
    over = true;
    const status = signal.aborted ? 'ABORT' : failure === undefined ? 'FINISHED' : 'ERROR';
    applyFields(paragraph, runEnd(status, outputs.messages, performance.now() - began));
    this.#running.delete(paragraph);
    if (this.#world.notes.get(note.id) === note) this.#world.broadcastParagraph(note, paragraph);
  }

  async #execute(note: StoredNote, paragraph: StoredParagraph, out: MemoryOutput): Promise<void> {
    const before = this.#world.find(magicOf(paragraph.text), note)?.[1];
    const { text, change } = filledForms(note, paragraph, before?.editor?.language);
    applyChange(note, change);
    this.#world.broadcast(note, change.messages);
    const { magic, script } = splitMagic(text);
    // In a separate microtask, so that PENDING is visible before RUNNING.
    await Promise.resolve();
    if (script.trim() === '' || out.signal.aborted) return;
    const found = this.#world.find(magic, note);
    if (!found) throw new Error(`Interpreter ${magic ?? ''} not found`);
    paragraph.status = 'RUNNING';
    this.#world.broadcastParagraph(note, paragraph);
    await found[1].run(script, out);
  }

  /** Stops a paragraph; resolves when it no longer runs. */
  async cancel(paragraph: StoredParagraph): Promise<void> {
    const run = this.#running.get(paragraph);
    run?.abort.abort();
    await run?.end;
  }

  async cancelNote(note: StoredNote): Promise<void> {
    this.#notes.get(note)?.abort();
    await Promise.all(note.paragraphs.map((paragraph) => this.cancel(paragraph)));
  }

  /**
   * Runs the note paragraph by paragraph until the first failure. `contents` are the texts as the
   * caller sees them; if any are given, only these paragraphs run.
   */
  startNote(
    note: StoredNote,
    contents: ReadonlyMap<string, ParagraphContent>,
    principal: string,
  ): { end: Promise<void> } {
    if (this.#notes.has(note)) throw new Refusal(423, 'The note is already running.');
    const abort = new AbortController();
    this.#notes.set(note, abort);
    const end = runWholeNote(note, contents, {
      user: principal,
      signal: abort.signal,
      start: (id, content) => this.start(note, id, content, principal).end,
      send: (message) => this.#world.broadcast(note, [message]),
      onError: () => {},
      onEnd: (entry) => {
        this.#notes.delete(note);
        this.#world.broadcastJob(note);
        if (entry) this.#history.set(note, [...this.history(note), entry].slice(-50));
      },
    });
    return { end };
  }

  /** Stops everything. */
  close(): void {
    for (const abort of this.#notes.values()) abort.abort();
    for (const { abort } of this.#running.values()) abort.abort();
  }
}
