/**
 * Searches the note behind an open box: the text that the client holds, never the page. Paragraphs that have not changed are
 * not searched again, no stretch of work is long, and only paragraphs near the window are given marks.
 */
import { paragraphText, type NoteState, type Output, type ParagraphState } from 'tiding/client';
import { isRunning } from 'tiding/model';
import type { Mark } from '../../editor/index.ts';
import { fill } from '../../text/en.ts';
import { findText as t } from '../../text/find.ts';
import type { NoteView } from '../view.tsx';
import { breather } from './breather.ts';
import { ResultMarks } from './result-marks.ts';
import {
  compile,
  complaint,
  HIT_LIMIT,
  replaceAll,
  replaceOne,
  searchCode,
  searchResults,
  type Range,
  type ResultHit,
  type Search,
} from './search.ts';
import type { FindState } from './store.ts';

/** What the text of the field waits for further keys (specification), and a changed note for further changes, in ms. */
const typingDelay = 300;
const changeDelay = 150;
/** Marks drawn in one paragraph; those around the current hit where there are more. */
const drawnMarks = 2_000;
/** Steps that an editor opened later can undo. */
const pastLimit = 50;

interface Found {
  readonly text: string;
  readonly outputs: readonly Output[];
  readonly code: readonly Range[];
  readonly results: readonly ResultHit[];
}

/** A hit: the how-manieth of its paragraph, code before results. `from` finds it again after the text has changed. */
interface Place {
  readonly id: string;
  readonly n: number;
  readonly from: number;
}

const count = (found: Found | undefined): number =>
  found ? found.code.length + found.results.length : 0;
const none: readonly Mark[] = [];

/** The search of one open box. `stop` ends it. */
export class Finder {
  readonly #view: NoteView;
  readonly #found = new Map<string, Found>();
  readonly #near = new Set<string>();
  readonly #observed = new WeakSet<Element>();
  readonly #observer: IntersectionObserver;
  readonly #results = new ResultMarks();
  readonly #undo: (() => void)[] = [];
  #search: Search | undefined;
  #place: Place | undefined;
  /** Marks are drawn; a click into an editor takes them away until the next action. */
  #marked = true;
  /** Number of the scan that counts. */
  #scan = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #changed: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(view: NoteView) {
    this.#view = view;
    this.#observer = new IntersectionObserver((entries) => this.#moved(entries), {
      rootMargin: '400px 0px',
    });
    let last: NoteState | undefined = this.#note;
    this.#undo.push(
      view.client.subscribe(() => {
        const now = this.#note;
        if (!now || (now.paragraphs === last?.paragraphs && now.order === last.order)) return;
        last = now;
        this.#changed ??= setTimeout(() => {
          this.#changed = undefined;
          void this.#rescan();
        }, changeDelay);
      }),
    );
    // When the code has had the whole press: marks that go before its release take its target with them, and a finger's click comes after that.
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
      view.host.addEventListener(type, onRelease);
      this.#undo.push(() => view.host.removeEventListener(type, onRelease));
    }
    this.#observe();
    void this.#apply();
  }

  get #note(): NoteState | undefined {
    return this.#view.client.state.open[this.#view.note.id];
  }

  get #state(): FindState {
    return this.#view.find.state.get();
  }

  /** Another text to look for: waits for further keys. */
  type(find: string): void {
    this.#view.find.state.set({ find, pending: true, error: undefined });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.#apply(), typingDelay);
  }

  /** Another way to look: at once. */
  choose(change: Partial<Pick<FindState, 'matchCase' | 'wholeWord' | 'regex' | 'results'>>): void {
    this.#view.find.state.set(change);
    void this.#apply();
  }

  /** Takes the marks away; the next action draws them again. */
  unmark(): void {
    if (!this.#marked) return;
    this.#marked = false;
    this.#place = undefined;
    this.#publish();
  }

  /** Goes to the next hit, or to the one before; over the ends on from the other. What is typed and not yet searched is searched first. */
  async step(direction: 1 | -1): Promise<void> {
    if (this.#typing !== undefined) return this.#apply();
    if (!this.#marked || !this.#place) {
      this.#marked = true;
      this.#go(direction === 1 ? this.#first() : this.#last());
      return;
    }
    this.#go(this.#beside(this.#place, direction));
  }

  /** Replaces the current hit and goes on to the next. */
  async replace(): Promise<void> {
    const place = this.#place;
    const range = place && this.#found.get(place.id)?.code[place.n];
    const paragraph = this.#view.paragraph(place?.id);
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
    // The text has become another since it was searched.
    if (!done) return this.#rescan();
    this.#edit(place.id, text, done.text);
    const found = this.#look(place.id, paragraph.state);
    for (let step = found.next(); ; step = found.next()) if (step.done) break;
    const n = this.#found.get(place.id)!.code.findIndex(({ from }) => from >= done.end);
    this.#go(
      n >= 0
        ? this.#placeOf(place.id, n)
        : this.#beside({ ...place, n: this.#found.get(place.id)!.code.length - 1 }, 1),
    );
    return undefined;
  }

  /** Replaces every hit in code that can be written. */
  async replaceAll(): Promise<void> {
    if (this.#typing !== undefined) await this.#apply();
    const search = this.#search;
    if (!search || !this.#view.editable) return;
    this.#view.find.state.set({ busy: true });
    let hits = 0;
    let paragraphs = 0;
    let skipped = 0;
    const rest = breather();
    for (const id of this.#note?.order ?? []) {
      if (this.#stopped) return;
      const paragraph = this.#view.paragraph(id);
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
    this.#view.say(
      fill(hits === 1 ? t.replacedOne : t.replaced, { hits, paragraphs }) +
        (skipped > 0 ? ` ${fill(t.skipped, { skipped })}` : ''),
    );
  }

  /** Ends the search: no marks, nothing shown that was hidden, but for the paragraph somebody works in. */
  stop(): void {
    this.#stopped = true;
    this.#scan += 1;
    clearTimeout(this.#typing);
    clearTimeout(this.#changed);
    this.#observer.disconnect();
    for (const undo of this.#undo) undo();
    this.#results.clear();
    const { find, host } = this.#view;
    const working =
      host.shadowRoot?.activeElement?.closest<HTMLElement>('[data-paragraph]')?.dataset[
        'paragraph'
      ];
    for (const id of find.touched)
      find.set(id, {
        marks: none,
        ...(id === working ? {} : { showCode: false, showResult: false }),
      });
    find.state.set({
      count: 0,
      at: 0,
      more: false,
      pending: false,
      busy: false,
      error: undefined,
      replaceable: false,
    });
  }

  #writable(id: string): boolean {
    const paragraph = this.#view.paragraph(id);
    return paragraph !== undefined && this.#view.editable && !isRunning(paragraph.status);
  }

  /** A replacement is typing: kept, saved and merged as such; an editor of the paragraph can undo it. */
  #edit(id: string, before: string, after: string): void {
    if (before === after) return;
    const { find } = this.#view;
    const known = find.part(id);
    find.set(id, {
      past: [...(known.after === before ? known.past : []), before].slice(-pastLimit),
      after,
    });
    void this.#view.act(() => this.#view.paragraph(id)?.edit(after));
  }

  /** Takes the query as it stands now and goes to the first hit. */
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
      error = complaint(reason);
    }
    this.#view.find.state.set({ error, pending: true });
    // Nothing is told of the query before.
    if (await this.#searchAll()) {
      this.#view.find.state.set({ pending: false });
      const { from } = this.#view.find;
      this.#view.find.from = undefined;
      this.#go(
        from !== undefined && count(this.#found.get(from)) > 0
          ? this.#placeOf(from, 0)
          : this.#first(),
      );
    }
  }

  /** Searches what has changed; the current hit stays where it is. */
  async #rescan(): Promise<void> {
    this.#observe();
    if (!(await this.#searchAll())) return;
    const place = this.#place;
    if (place) {
      const { code = [] } = this.#found.get(place.id) ?? {};
      const n = place.from >= 0 ? nearest(code, place.from) : place.n;
      const total = count(this.#found.get(place.id));
      this.#place =
        n >= 0 && n < total
          ? this.#placeOf(place.id, n)
          : total > 0
            ? this.#placeOf(place.id, total - 1)
            : this.#beside({ ...place, n: 0 }, 1);
    }
    this.#publish();
  }

  /** Answers whether it went through to the end; another search that begins meanwhile ends it. */
  async #searchAll(): Promise<boolean> {
    const scan = ++this.#scan;
    const rest = breather(() => this.#view.find.state.set({ busy: true }));
    const order = this.#note?.order ?? [];
    const there = new Set(order);
    for (const id of this.#found.keys()) if (!there.has(id)) this.#found.delete(id);
    for (const id of order) {
      const paragraph = this.#note?.paragraphs[id];
      if (!paragraph) continue;
      const steps = this.#look(id, paragraph);
      for (let step = steps.next(); !step.done; step = steps.next()) {
        await rest();
        if (scan !== this.#scan) return false;
      }
      await rest();
      if (scan !== this.#scan) return false;
    }
    return true;
  }

  /** Searches one paragraph, unless it is as it was. */
  *#look(id: string, paragraph: ParagraphState): Generator<void, void, undefined> {
    const search = this.#search;
    const { look } = this.#view.state.get();
    const reads = look === 'report' || look === 'embed';
    const text = reads ? '' : paragraphText(paragraph);
    // A report shows no code, and nothing of a paragraph whose output is hidden.
    const outputs = reads
      ? paragraph.server.config?.tableHide && look === 'report'
        ? []
        : paragraph.outputs
      : this.#state.results
        ? paragraph.outputs
        : [];
    const known = this.#found.get(id);
    if (known && known.text === text && sameOutputs(known.outputs, outputs)) return;
    const code = search ? yield* searchCode(search, text) : [];
    const results = search ? yield* searchResults(search, outputs) : [];
    this.#found.set(id, { text, outputs, code, results });
  }

  #placeOf(id: string, n: number): Place {
    return { id, n, from: this.#found.get(id)?.code[n]?.from ?? -1 };
  }

  #first(): Place | undefined {
    const id = this.#note?.order.find((one) => count(this.#found.get(one)) > 0);
    return id === undefined ? undefined : this.#placeOf(id, 0);
  }

  #last(): Place | undefined {
    const id = this.#note?.order.findLast((one) => count(this.#found.get(one)) > 0);
    return id === undefined ? undefined : this.#placeOf(id, count(this.#found.get(id)) - 1);
  }

  #beside({ id, n }: Place, direction: 1 | -1): Place | undefined {
    const next = n + direction;
    if (next >= 0 && next < count(this.#found.get(id))) return this.#placeOf(id, next);
    const order = this.#note?.order ?? [];
    const at = order.indexOf(id);
    for (let step = 1; step <= order.length; step += 1) {
      const other = order[(at + direction * step + order.length * 2) % order.length]!;
      const total = count(this.#found.get(other));
      if (total > 0) return this.#placeOf(other, direction === 1 ? 0 : total - 1);
    }
    return undefined;
  }

  /** Makes a hit the current one and brings it into view, out of hidden editors and outputs too. */
  #go(place: Place | undefined): void {
    this.#place = place;
    if (place) {
      const config = this.#note?.paragraphs[place.id]?.server.config;
      const inCode = place.from >= 0;
      if (inCode && config?.editorHide) this.#view.find.set(place.id, { showCode: true });
      if (!inCode && config?.tableHide) this.#view.find.set(place.id, { showResult: true });
    }
    this.#publish();
    if (place) void this.#reveal(place);
  }

  async #reveal(place: Place): Promise<void> {
    const { id, n, from } = place;
    const element = this.#view.element(id);
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
    // A hidden editor is on its way into the page.
    for (let tries = 0; tries < 30 && still(); tries += 1) {
      await new Promise(requestAnimationFrame);
      const editor = this.#view.editors.get(id)?.current;
      if (!editor || !this.#view.element(id)?.querySelector('.find-current, .cm-editor')) continue;
      if (still()) editor.reveal(from, found.code[n]?.to ?? from);
      return;
    }
    if (still()) this.#view.element(id)?.scrollIntoView({ block: 'nearest' });
  }

  /** Tells the box what was found, and the paragraphs near the window where their marks are. */
  #publish(): void {
    let total = 0;
    let at = 0;
    let more = false;
    for (const id of this.#note?.order ?? []) {
      const found = this.#found.get(id);
      if (id === this.#place?.id) at = total + this.#place.n + 1;
      if (found && (found.code.length >= HIT_LIMIT || found.results.length >= HIT_LIMIT))
        more = true;
      total += count(found);
    }
    const place = this.#place;
    this.#view.find.state.set({
      busy: false,
      count: total,
      more,
      at,
      replaceable: place !== undefined && place.from >= 0 && this.#writable(place.id),
    });
    if (!place || place.from >= 0) this.#results.clear();
    for (const id of new Set([
      ...this.#view.find.touched,
      ...this.#near,
      ...(place ? [place.id] : []),
    ]))
      this.#mark(id);
  }

  #mark(id: string): void {
    const shown = this.#marked && (this.#near.has(id) || this.#place?.id === id);
    const code = shown ? this.#found.get(id)?.code : undefined;
    const current = this.#place?.id === id ? this.#place.n : -1;
    const start =
      code && code.length > drawnMarks
        ? Math.max(0, Math.min(code.length - drawnMarks, current - drawnMarks / 2))
        : 0;
    const marks = code
      ? code
          .slice(start, start + drawnMarks)
          .map((range, index) => (start + index === current ? { ...range, current: true } : range))
      : none;
    this.#view.find.set(id, { marks });
  }

  #observe(): void {
    for (const element of this.#view.host.shadowRoot?.querySelectorAll('[data-paragraph]') ?? []) {
      if (this.#observed.has(element)) continue;
      this.#observed.add(element);
      this.#observer.observe(element);
    }
  }

  #moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const id = (target as HTMLElement).dataset['paragraph'];
      if (id === undefined) continue;
      if (isIntersecting) this.#near.add(id);
      else this.#near.delete(id);
      this.#mark(id);
    }
  }
}

function sameOutputs(a: readonly Output[], b: readonly Output[]): boolean {
  return a === b || (a.length === b.length && a.every((output, index) => output === b[index]));
}

function nearest(ranges: readonly Range[], from: number): number {
  let best = -1;
  for (const [index, range] of ranges.entries())
    if (best < 0 || Math.abs(range.from - from) < Math.abs(ranges[best]!.from - from)) best = index;
  return best;
}
