/**
 * Search engine behind the find box. It searches the text held by the client, never the DOM.
 * Unchanged paragraphs are not searched again, long searches yield to the browser, and only
 * paragraphs near the window get marks.
 */
import { type NoteState, type Output, type ParagraphState, paragraphText } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import type { FindMark } from '../../editor/index.ts';
import { sliceYielder } from '../../runtime/slices.ts';
import { fill } from '../../text/fill.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import type { FindState } from './find-store.ts';
import {
  MatchIndex,
  type MatchPosition,
  marksAround,
  type ParagraphMatches,
  sameOutputs,
} from './match-index.ts';
import { NearParagraphs } from './near-paragraphs.ts';
import { ResultMarks } from './result-marks.ts';
import {
  type CompiledQuery,
  compile,
  expressionError,
  MATCH_LIMIT,
  replaceAll,
  replaceOne,
  searchCode,
  searchResults,
} from './search.ts';
import { searchedTables } from './searched-table.ts';
import { findTexts as t } from './texts.ts';

/**
 * Delay after the last key in the search field (specification), and delay after a change of the
 * note, in ms.
 */
const typingDelay = 300;
const changeDelay = 150;
/** Maximum number of replacements that an editor opened later can undo. */
const pastLimit = 50;
const none: readonly FindMark[] = [];
const noTables: ParagraphMatches['tables'] = new Map();

/** Search of one open find box. Call `stop` to end it. */
export class Finder {
  readonly #ui: NoteUi;
  readonly #found = new MatchIndex(() => this.#note?.order ?? []);
  readonly #near: NearParagraphs;
  readonly #results = new ResultMarks();
  readonly #undo: (() => void)[] = [];
  /** Tables by paragraph, and what they were read of. */
  readonly #tables = new Map<
    string,
    { readonly of: readonly unknown[]; readonly tables: ParagraphMatches['tables'] }
  >();
  #search: CompiledQuery | undefined;
  #place: MatchPosition | undefined;
  /** Whether marks are drawn. A click into an editor removes them until the next action. */
  #marked = true;
  /** Number of the current scan; older scans stop. */
  #scan = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #changed: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(ui: NoteUi) {
    this.#ui = ui;
    this.#near = new NearParagraphs(ui.host, (id) => this.#mark(id));
    let last: NoteState | undefined = this.#note;
    this.#undo.push(
      ui.client.subscribe(() => {
        const now = this.#note;
        if (!now || (now.paragraphs === last?.paragraphs && now.order === last.order)) return;
        last = now;
        this.#changed ??= setTimeout(() => {
          this.#changed = undefined;
          void this.#rescan();
        }, changeDelay);
      }),
    );
    // Remove the marks only after the editor has received the whole press: removing them earlier
    // would remove the event's target. For touch, the click comes after the release.
    const onRelease = (event: Event): void => {
      if ((event as PointerEvent).pointerType === 'touch' && event.type !== 'click') return;
      if (
        event
          .composedPath()
          .some((node) => node instanceof Element && node.classList.contains('code-area'))
      )
        this.unmark();
    };
    for (const type of ['pointerup', 'click']) {
      ui.host.addEventListener(type, onRelease);
      this.#undo.push(() => ui.host.removeEventListener(type, onRelease));
    }
    this.#near.observe();
    void this.#apply();
  }

  get #note(): NoteState | undefined {
    return this.#ui.client.state.open[this.#ui.note.id];
  }

  get #state(): FindState {
    return this.#ui.find.state.get();
  }

  /** Changes the search text; the search starts after a delay. */
  type(find: string): void {
    this.#ui.find.state.set({ find, pending: true, error: undefined });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#apply(), typingDelay);
  }

  /** Changes search options and searches immediately. */
  choose(change: Partial<Pick<FindState, 'matchCase' | 'wholeWord' | 'regex' | 'results'>>): void {
    this.#ui.find.state.set(change);
    void this.#apply();
  }

  /** Removes the marks until the next action. */
  unmark(): void {
    if (!this.#marked) return;
    this.#marked = false;
    this.#place = undefined;
    this.#publish();
  }

  /**
   * Goes to the next or previous match and wraps around. Text that was typed but not searched yet
   * is searched first.
   */
  async step(direction: 1 | -1): Promise<void> {
    if (this.#typing !== undefined) return this.#apply();
    if (!this.#marked || !this.#place) {
      this.#marked = true;
      this.#go(direction === 1 ? this.#found.first() : this.#found.last());
      return;
    }
    this.#go(this.#found.beside(this.#place, direction));
  }

  /** Replaces the current match and goes to the next one. */
  async replace(): Promise<void> {
    const place = this.#place;
    const range = place && this.#found.get(place.id)?.code[place.n];
    const paragraph = this.#ui.paragraphs.get(place?.id);
    if (
      this.#typing !== undefined ||
      !this.#marked ||
      !place ||
      !range ||
      !paragraph ||
      !this.#search ||
      !this.#writable(place.id)
    )
      return this.step(1);
    const { text } = paragraph;
    const done = replaceOne(this.#search, text, range, this.#state.replacement);
    // The text has changed since it was searched.
    if (!done) return this.#rescan();
    this.#edit(place.id, text, done.text);
    const found = this.#searchParagraph(place.id, paragraph.state);
    for (let step = found.next(); ; step = found.next()) if (step.done) break;
    const n = this.#found.get(place.id)!.code.findIndex(({ from }) => from >= done.end);
    this.#go(
      n >= 0
        ? this.#found.at(place.id, n)
        : this.#found.beside({ ...place, n: this.#found.get(place.id)!.code.length - 1 }, 1),
    );
    return undefined;
  }

  /** Replaces every match in editable code. */
  async replaceAll(): Promise<void> {
    if (this.#typing !== undefined) await this.#apply();
    const search = this.#search;
    if (!search || !this.#ui.layout.writable) return;
    this.#ui.find.state.set({ busy: true });
    let hits = 0;
    let paragraphs = 0;
    let skipped = 0;
    const rest = sliceYielder();
    for (const id of this.#note?.order ?? []) {
      if (this.#stopped) return;
      const paragraph = this.#ui.paragraphs.get(id);
      if (!paragraph) continue;
      const { text } = paragraph;
      const done = replaceAll(search, text, this.#state.replacement);
      if (done.count > 0) {
        if (this.#writable(id)) {
          hits += done.count;
          paragraphs += 1;
          this.#edit(id, text, done.text);
        } else skipped += 1;
      }
      await rest();
    }
    this.#marked = true;
    await this.#rescan();
    this.#ui.messages.success(
      fill(hits === 1 ? t.replacedOne : t.replaced, { hits, paragraphs }) +
        (skipped > 0 ? ` ${fill(t.skipped, { skipped })}` : ''),
    );
  }

  /**
   * Ends the search: removes all marks and hides shown editors and results again, except in the
   * paragraph that has the focus.
   */
  stop(): void {
    this.#stopped = true;
    this.#scan += 1;
    clearTimeout(this.#typing);
    clearTimeout(this.#changed);
    this.#near.stop();
    for (const undo of this.#undo) undo();
    this.#results.clear();
    const { find, host } = this.#ui;
    const working =
      host.shadowRoot?.activeElement?.closest<HTMLElement>('[data-paragraph]')?.dataset[
        'paragraph'
      ];
    for (const id of find.touched)
      find.set(id, {
        marks: none,
        ...(id === working ? {} : { showCode: false, showResult: false }),
      });
    find.resetResult();
  }

  #writable(id: string): boolean {
    const paragraph = this.#ui.paragraphs.get(id);
    return paragraph !== undefined && this.#ui.layout.writable && !isRunning(paragraph.status);
  }

  /**
   * Applies a replacement like typed text: it is kept, saved and merged the same way, and the
   * paragraph's editor can undo it.
   */
  #edit(id: string, before: string, after: string): void {
    if (before === after) return;
    const { find } = this.#ui;
    const known = find.part(id);
    find.set(id, {
      past: [...(known.after === before ? known.past : []), before].slice(-pastLimit),
      after,
    });
    void this.#ui.messages.act(() => this.#ui.paragraphs.get(id)?.edit(after));
  }

  /** Searches for the current query and goes to the first match. */
  async #apply(): Promise<void> {
    clearTimeout(this.#typing);
    this.#typing = undefined;
    this.#found.clear();
    this.#place = undefined;
    this.#marked = true;
    let error: string | undefined;
    try {
      this.#search = compile(this.#state);
    } catch (reason) {
      this.#search = undefined;
      error = expressionError(reason);
    }
    this.#ui.find.state.set({ error, pending: true });
    // The match count of the previous query is hidden until the search completes.
    if (await this.#searchAll()) {
      this.#ui.find.state.set({ pending: false });
      const { from } = this.#ui.find;
      this.#ui.find.from = undefined;
      this.#go(
        from !== undefined && this.#found.count(from) > 0
          ? this.#found.at(from, 0)
          : this.#found.first(),
      );
    }
  }

  /** Searches changed paragraphs; the current match stays where it is. */
  async #rescan(): Promise<void> {
    this.#near.observe();
    if (!(await this.#searchAll())) return;
    if (this.#place) this.#place = this.#found.relocate(this.#place);
    this.#publish();
  }

  /** Searches all paragraphs. Resolves to `false` if a newer search took over. */
  async #searchAll(): Promise<boolean> {
    const scan = ++this.#scan;
    const rest = sliceYielder({ onFirstYield: () => this.#ui.find.state.set({ busy: true }) });
    const order = this.#note?.order ?? [];
    this.#found.prune();
    for (const id of this.#tables.keys()) if (!this.#note?.paragraphs[id]) this.#tables.delete(id);
    for (const id of order) {
      const paragraph = this.#note?.paragraphs[id];
      if (!paragraph) continue;
      await this.#readTables(id);
      if (scan !== this.#scan) return false;
      const steps = this.#searchParagraph(id, paragraph);
      for (let step = steps.next(); !step.done; step = steps.next()) {
        await rest();
        if (scan !== this.#scan) return false;
      }
      await rest();
      if (scan !== this.#scan) return false;
    }
    return true;
  }

  /** The outputs of a paragraph that are searched. */
  #outputsOf({ outputs, server }: ParagraphState): readonly Output[] {
    const { look } = this.#ui.layout;
    // A report shows nothing of a paragraph with hidden output.
    if (look === 'report') return server.config?.tableHide ? [] : outputs;
    return look === 'embed' || this.#state.results ? outputs : [];
  }

  /** Reads the tables of a paragraph that are searched, unless they are unchanged. */
  async #readTables(id: string): Promise<void> {
    const paragraph = this.#ui.paragraphs.get(id);
    const outputs = paragraph ? this.#outputsOf(paragraph.state) : [];
    if (!paragraph || !this.#search || outputs.length === 0) {
      this.#tables.delete(id);
      return;
    }
    const { config, dateFinished, status } = paragraph.state.server;
    const of = [...outputs, config?.['results'], dateFinished, status];
    const known = this.#tables.get(id);
    if (known?.of.length === of.length && known.of.every((each, at) => each === of[at])) return;
    this.#tables.set(id, { of, tables: await searchedTables(paragraph) });
  }

  /** Searches one paragraph unless it is unchanged. */
  *#searchParagraph(id: string, paragraph: ParagraphState): Generator<void, void, undefined> {
    const search = this.#search;
    const { look } = this.#ui.layout;
    // A report shows no code.
    const text = look === 'report' || look === 'embed' ? '' : paragraphText(paragraph);
    const outputs = this.#outputsOf(paragraph);
    const { tables } = this.#tables.get(id) ?? { tables: noTables };
    const known = this.#found.get(id);
    if (known?.text === text && known.tables === tables && sameOutputs(known.outputs, outputs))
      return;
    const code = search ? yield* searchCode(search, text) : [];
    const results = search ? yield* searchResults(search, outputs, tables) : [];
    this.#found.set(id, { text, outputs, tables, code, results });
  }

  /**
   * Makes a match the current one and scrolls it into view. Shows a hidden editor or output that
   * contains it.
   */
  #go(place: MatchPosition | undefined): void {
    this.#place = place;
    if (place) {
      const config = this.#note?.paragraphs[place.id]?.server.config;
      const inCode = place.from >= 0;
      if (inCode && config?.editorHide) this.#ui.find.set(place.id, { showCode: true });
      if (!inCode && config?.tableHide) this.#ui.find.set(place.id, { showResult: true });
    }
    this.#publish();
    if (place) void this.#reveal(place);
  }

  async #reveal(place: MatchPosition): Promise<void> {
    const { id, n, from } = place;
    const element = this.#ui.viewport.element(id);
    const found = this.#found.get(id);
    if (!found) return;
    const still = (): boolean =>
      !this.#stopped && this.#marked && this.#place?.id === id && this.#place.n === n;
    if (from < 0) {
      const hit = found.results[n - found.code.length];
      if (element && hit && this.#search)
        await this.#results.draw(element, this.#search, found.outputs, found.results, hit, still);
      return;
    }
    // Wait for a hidden editor to appear.
    for (let tries = 0; tries < 30 && still(); tries += 1) {
      await new Promise(requestAnimationFrame);
      const editor = this.#ui.editors.get(id);
      if (!editor || !this.#ui.viewport.element(id)?.querySelector('.find-current, .cm-editor'))
        continue;
      if (still()) editor.reveal(from, found.code[n]?.to ?? from);
      return;
    }
    if (still()) this.#ui.viewport.element(id)?.scrollIntoView({ block: 'nearest' });
  }

  /** Publishes the match count to the find box and the marks to paragraphs near the window. */
  #publish(): void {
    let total = 0;
    let at = 0;
    let more = false;
    for (const id of this.#note?.order ?? []) {
      const found = this.#found.get(id);
      if (id === this.#place?.id) at = total + this.#place.n + 1;
      if (found && (found.code.length >= MATCH_LIMIT || found.results.length >= MATCH_LIMIT))
        more = true;
      total += this.#found.count(id);
    }
    const place = this.#place;
    this.#ui.find.state.set({ busy: false, count: total, more, at });
    if (!place || place.from >= 0) this.#results.clear();
    for (const id of new Set([
      ...this.#ui.find.touched,
      ...this.#near.ids,
      ...(place ? [place.id] : []),
    ]))
      this.#mark(id);
  }

  #mark(id: string): void {
    const shown = this.#marked && (this.#near.has(id) || this.#place?.id === id);
    const code = shown ? this.#found.get(id)?.code : undefined;
    const current = this.#place?.id === id ? this.#place.n : -1;
    const marks = code ? marksAround(code, current) : none;
    this.#ui.find.set(id, { marks });
  }
}
