/** Runs of paragraphs and of whole notes on a memory server. */
import { createDisplayParser } from '../model/display.ts';
import { substituteForms } from '../model/form-values.ts';
import { parseForms } from '../model/forms.ts';
import { splitMagic } from '../model/magic.ts';
import { isRunning } from '../model/status.ts';
import type { Bag, Form, NoteRun, ResultMessage } from '../protocol/index.ts';
import type { MemoryOutput } from './contract.ts';
import type { Content, MemoryEditor } from './editor.ts';
import { now, Refusal, type StoredNote, type StoredParagraph, type World } from './world.ts';

const APPENDABLE = new Set(['TEXT', 'TABLE']);

interface Listener {
  update(index: number, type: string, data: string): void;
  append(index: number, data: string): void;
}

/** The outputs of one run; each piece is told as it comes. */
class Outputs {
  readonly messages: ResultMessage[] = [];
  readonly #tell: Listener;
  #parser = this.#newParser();

  constructor(tell: Listener) {
    this.#tell = tell;
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
    if (!APPENDABLE.has(type)) return this.#tell.update(index, type, message.data);
    if (fresh) this.#tell.update(index, type, '');
    this.#tell.append(index, data);
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

/** See the head of this file. */
export class MemoryRuns {
  readonly #world: World;
  readonly #editor: MemoryEditor;
  readonly #running = new Map<
    StoredParagraph,
    { abort: AbortController; end: Promise<void>; progress: number }
  >();
  readonly #notes = new Map<StoredNote, AbortController>();
  readonly #history = new WeakMap<StoredNote, NoteRun[]>();

  constructor(world: World, editor: MemoryEditor) {
    this.#world = world;
    this.#editor = editor;
  }

  /** The last fifty runs of the whole note, oldest first. */
  history(note: StoredNote): readonly NoteRun[] {
    return this.#history.get(note) ?? [];
  }

  isSequential(note: StoredNote): boolean {
    return this.#notes.has(note);
  }

  progress(paragraph: StoredParagraph): number {
    return this.#running.get(paragraph)?.progress ?? 100;
  }

  /** Starts a run: PENDING is told when this returns. `end` resolves when it is over. */
  start(
    note: StoredNote,
    id: string,
    content: Content,
    principal: string,
    msgId?: string,
  ): { end: Promise<void> } {
    const paragraph = this.#world.paragraph(note, id);
    if (isRunning(paragraph.status)) throw new Refusal(409, 'the paragraph is already running');
    this.#editor.apply(paragraph, content, principal);
    for (const key of ['dateFinished', 'errorMessage'] as const) delete paragraph[key];
    if (paragraph.config?.enabled === false) {
      this.#world.tellParagraph(note, paragraph, msgId);
      return { end: Promise.resolve() };
    }
    delete paragraph.results;
    Object.assign(paragraph, { status: 'PENDING', dateStarted: now() });
    this.#world.tellParagraph(note, paragraph, msgId);
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
        this.#world.tellNote(note.id, 'PARAGRAPH_UPDATE_OUTPUT', { ...where, index, type, data }),
      append: (index, data) =>
        this.#world.tellNote(note.id, 'PARAGRAPH_APPEND_OUTPUT', { ...where, index, data }),
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
          this.#world.tellNote(note.id, 'PROGRESS', { id: paragraph.id, progress: percent });
        }),
    };
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
    Object.assign(paragraph, {
      status,
      dateFinished: now(),
      results: { code: status === 'FINISHED' ? 'SUCCESS' : 'ERROR', msg: outputs.messages },
      ...(status === 'ERROR' ? { errorMessage: failure } : {}),
    });
    this.#running.delete(paragraph);
    if (this.#world.notes.get(note.id) === note) this.#world.tellParagraph(note, paragraph);
  }

  async #execute(note: StoredNote, paragraph: StoredParagraph, out: MemoryOutput): Promise<void> {
    const text = this.#substitute(note, paragraph);
    const { magic, script } = splitMagic(text);
    // A turn of its own: PENDING is seen before RUNNING.
    await Promise.resolve();
    if (script.trim() === '' || out.signal.aborted) return;
    const found = this.#world.find(magic, note);
    if (!found) throw new Error(`Interpreter ${magic ?? ''} not found`);
    paragraph.status = 'RUNNING';
    this.#world.tellParagraph(note, paragraph);
    await found[1].run(script, out);
  }

  #substitute(note: StoredNote, paragraph: StoredParagraph): string {
    const found = parseForms(paragraph.text);
    const own: Record<string, Form> = {};
    const wide: Record<string, Form> = {};
    for (const { form, noteWide } of found) (noteWide ? wide : own)[form.name] = form;
    const params = { ...(paragraph.settings?.params ?? {}) } as Bag;
    for (const [name, form] of Object.entries(own))
      if (params[name] === undefined && form.defaultValue !== undefined)
        params[name] = form.defaultValue;
    paragraph.settings = { params, forms: own };
    if (Object.keys(wide).length > 0) {
      note.noteForms = { ...note.noteForms, ...wide };
      this.#world.tellNote(note.id, 'SAVE_NOTE_FORMS', {
        formsData: { params: note.noteParams, forms: note.noteForms },
      });
    }
    return found.length === 0
      ? paragraph.text
      : substituteForms(paragraph.text, params, note.noteParams);
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

  /** Runs the note paragraph by paragraph up to the first failure. `contents` are texts as the caller sees them: only these run, where any are given. */
  startNote(
    note: StoredNote,
    contents: ReadonlyMap<string, Content>,
    principal: string,
  ): { end: Promise<void> } {
    if (this.#notes.has(note)) throw new Refusal(409, 'the note is already running');
    const abort = new AbortController();
    this.#notes.set(note, abort);
    this.#world.tellNote(note.id, 'NOTE_RUNNING_STATUS', { status: true });
    const start = Date.now();
    let status: string | undefined;
    const all = async () => {
      for (const { id } of [...note.paragraphs]) {
        const paragraph = note.paragraphs.find((entry) => entry.id === id);
        const content = contents.get(id) ?? {};
        if (contents.size > 0 && !contents.has(id)) continue;
        if (
          abort.signal.aborted ||
          !paragraph ||
          (content.config ?? paragraph.config)?.enabled === false
        )
          continue;
        if ((content.paragraph ?? paragraph.text).trim() === '') continue;
        await this.start(note, id, content, principal).end;
        ({ status } = paragraph);
        if (paragraph.status !== 'FINISHED') break;
      }
    };
    const end = all()
      .catch((error: Error) =>
        this.#world.tellNote(note.id, 'ERROR_INFO', {
          info: error.message,
          op: 'RUN_ALL_PARAGRAPHS',
        }),
      )
      .then(() => {
        this.#notes.delete(note);
        if (status !== undefined)
          this.#history.set(
            note,
            [
              ...this.history(note),
              {
                start,
                end: Date.now(),
                status: abort.signal.aborted ? 'ABORT' : status,
                who: principal,
              },
            ].slice(-50),
          );
        this.#world.tellNote(note.id, 'NOTE_RUNNING_STATUS', { status: false });
      });
    return { end };
  }

  /** Stops everything. */
  close(): void {
    for (const abort of this.#notes.values()) abort.abort();
    for (const { abort } of this.#running.values()) abort.abort();
  }
}
