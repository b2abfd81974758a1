/**
 * What an element shows to a page that may only read, before it loads the code of its view: markup
 * and style that the server has made. The view replaces it at the first touch, and when a run is
 * under way.
 */
import type { TokenSource } from '../clients.ts';
import { emitEvent } from '../define-element.ts';
import type { TidingEventDetails } from '../element-types.ts';
import { constructedSheet } from '../sheets.ts';
import {
  type Asked,
  askParagraph,
  follow,
  type MarkupNode,
  type ParagraphAnswer,
  type ParagraphAnswers,
  unfollow,
} from './ask-paragraphs.ts';

/** A page may set the token after it has added the element, in ms. */
const TOKEN_MS = 300;

type Values = Readonly<Record<string, unknown>>;
/** Properties that a first view follows. Others need the view. */
const known: readonly string[] = ['server', 'token', 'note', 'paragraph', 'look'];
const touches = ['pointerenter', 'pointerdown', 'focusin', 'keydown'] as const;
const SVG = 'http://www.w3.org/2000/svg';
const unsafeTag =
  /^(?:script|style|template|iframe|frame|object|embed|link|meta|base|form|use|animate|set)$/i;
const unsafeAttribute = /^(?:on.*|style|srcdoc|action|formaction)$/i;
const address = /^(?:href|src|xlink:href)$/i;

/** Makes an element of data. What could run a script is left out. */
function made(node: MarkupNode, inSvg = false): Node | string {
  if (typeof node === 'string') return node;
  const [tag, attributes, children] = node;
  if (unsafeTag.test(tag)) return '';
  const isSvg = inSvg || tag === 'svg';
  const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (
      !unsafeAttribute.test(name) &&
      (!address.test(name) || /^(?:https?:|mailto:|data:image\/)/i.test(value))
    )
      element.setAttribute(name, value);
  element.append(...children.map((child) => made(child, isSvg)));
  return element;
}

/** Names of the buttons that were pressed in first views; the view presses them in its turn. */
export const pressed = new WeakMap<Element, string>();

/** Sheets of first views, by the markup that they belong to. */
const sheets = new WeakMap<Element, CSSStyleSheet>();

const ready = new WeakSet<HTMLElement>();
/** Whether an element has said that its paragraph is shown. */
export const wasReady = (host: HTMLElement): boolean => ready.has(host);

/** Parts whose code or content is still missing. */
const MISSING = '.element-loading, .result-skeleton, .result-pending, .chart-box:empty';

/** Emits `tiding-painted` after the frame in which no part is missing. Returns what stops it. */
export function emitPainted(
  host: HTMLElement,
  detail: TidingEventDetails['tiding-painted'],
): () => void {
  const root = host.shadowRoot!;
  let frame: number | undefined;
  const check = (): void => {
    frame ??= requestAnimationFrame(() => {
      frame = root.querySelector(MISSING) ? undefined : requestAnimationFrame(paint);
    });
  };
  const paint = (): void => {
    mutations.disconnect();
    emitEvent(host, 'tiding-painted', detail);
  };
  const mutations = new MutationObserver(check);
  mutations.observe(root, { childList: true, subtree: true, attributes: true });
  check();
  return () => {
    mutations.disconnect();
    if (frame) cancelAnimationFrame(frame);
  };
}

/** Emits `tiding-ready`, and later `tiding-painted`, which the returned function withdraws. */
export function emitShown(
  host: HTMLElement,
  detail: TidingEventDetails['tiding-ready'],
): () => void {
  emitEvent(host, 'tiding-ready', detail);
  return emitPainted(host, detail);
}

/** Removes a snapshot, and the sheet of a first view. */
export function removeSnapshot(root: ShadowRoot, snapshot: Element): void {
  snapshot.remove();
  const sheet = sheets.get(snapshot);
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
}

/** The first view of an element. */
export class FirstView {
  readonly #host: HTMLElement;
  readonly #mount: () => void;
  #values: Values;
  #shown: Element | undefined;
  #revision: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run = new AbortController();

  /** Whether an element with these properties can have a first view. */
  static fits({ client, server, token, note, paragraph, look, ...others }: Values): boolean {
    if (client || !note || !paragraph || look === 'focus') return false;
    if (Object.values(others).some((value) => value !== undefined && value !== false)) return false;
    if (typeof server !== 'string' || !URL.canParse(server, document.baseURI)) return false;
    // Only pages with an embed token have one; those of the server itself use its cookie.
    return typeof token === 'string'
      ? token.startsWith('tde_')
      : token !== undefined || new URL(server, document.baseURI).origin !== location.origin;
  }

  /** `mount` shows the view of the element; it is called at most once. */
  constructor(host: HTMLElement, values: Values, mount: () => void) {
    this.#host = host;
    this.#values = values;
    this.#mount = mount;
    for (const name of touches) host.addEventListener(name, this.#wake);
    this.#start();
  }

  readonly #wake = (): void => {
    this.stop();
    this.#mount();
  };

  /** Follows changed properties. */
  update(values: Values): void {
    const before = this.#values;
    this.#values = values;
    // Pages that write a token function inline make a new one at each render.
    const isOther = known.some((name) => name !== 'token' && values[name] !== before[name]);
    if (!FirstView.fits(values) || (this.#shown && isOther)) this.#wake();
    else if (isOther || before['token'] === undefined) this.#start();
  }

  /** Ends it. What is shown stays until the view replaces it. */
  stop(): void {
    clearTimeout(this.#timer);
    unfollow(this);
    this.#run.abort();
    for (const name of touches) this.#host.removeEventListener(name, this.#wake);
  }

  #start(): void {
    this.#run.abort();
    this.#run = new AbortController();
    clearTimeout(this.#timer);
    if (this.#values['token'] === undefined) this.#timer = setTimeout(this.#wake, TOKEN_MS);
    else void this.#ask(this.#run.signal);
  }

  /** Asks for changes if the element is on the screen. */
  refresh(): void {
    const { top, bottom } = this.#host.getBoundingClientRect();
    if (document.visibilityState === 'visible' && bottom > 0 && top < innerHeight)
      void this.#ask(this.#run.signal);
  }

  #answer(): Promise<Asked> {
    const { server, token, note, paragraph, look = 'default' } = this.#values;
    return askParagraph(server as string, token as TokenSource, note as string, {
      paragraphId: paragraph as string,
      look: look as string,
      width: this.#host.clientWidth,
      revision: this.#revision,
    });
  }

  async #ask(signal: AbortSignal): Promise<void> {
    unfollow(this);
    try {
      const found = await this.#answer();
      if (signal.aborted) return;
      if (!found.answer?.revision) return this.#wake();
      if (found.answer.body) this.#show(found.answer, found.answers);
    } catch {
      if (signal.aborted) return;
      // Like a view that is offline, it keeps what it shows.
      if (!this.#shown) return this.#wake();
    }
    follow(this);
  }

  #show(
    { revision, css = 0, body }: ParagraphAnswer,
    { path, sheets: texts }: ParagraphAnswers,
  ): void {
    const host = this.#host;
    const root = host.shadowRoot!;
    const before = this.#shown;
    const next = made(body!);
    if (!(next instanceof HTMLElement)) return this.#wake();
    next.tabIndex = 0;
    next.setAttribute('role', 'group');
    next.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest('button');
      if (button?.ariaLabel) pressed.set(next, button.ariaLabel);
    });
    const sheet = constructedSheet(texts[css] ?? '', root);
    sheets.set(next, sheet);
    if (before) removeSnapshot(root, before);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    root.append(next);
    this.#shown = next;
    this.#revision = revision;
    if (before) return;
    ready.add(host);
    const { note: noteId, paragraph: paragraphId } = this.#values as Record<string, string>;
    emitEvent(host, 'tiding-note-path', { noteId: noteId!, path });
    emitShown(host, { noteId: noteId!, paragraphId: paragraphId! });
  }
}
