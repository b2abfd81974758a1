/**
 * What an element shows to a page that may only read, before it loads the code of its view: markup
 * and style that the server has made. The view replaces it at the first touch, and when a run is
 * under way.
 */
import type { TokenSource } from '../clients.ts';
import { emitEvent } from '../define-element.ts';
import type { TidingEventDetails } from '../element-types.ts';
import { constructedSheet } from '../sheets.ts';

/** How often the server is asked for changes while the element is visible, in ms. */
const POLL_MS = 5_000;
/** A page may set the token after it has added the element, in ms. */
const TOKEN_MS = 300;

type Values = Readonly<Record<string, unknown>>;
type MarkupNode = string | readonly [string, Readonly<Record<string, string>>, MarkupNode[]];
interface Answer {
  readonly revision?: string;
  readonly path?: string;
  readonly css?: string;
  readonly body?: MarkupNode;
}

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

/** The tokens that functions returned: elements that share a function ask once. */
const tokens = new WeakMap<() => unknown, Promise<string>>();
async function tokenOf(token: TokenSource, renewed: boolean): Promise<string> {
  if (typeof token === 'string') return token;
  let given = tokens.get(token);
  if (!given || renewed) tokens.set(token, (given = Promise.resolve().then(token)));
  return given;
}

/** Sheets of first views, by the markup that they belong to. */
const sheets = new WeakMap<Element, CSSStyleSheet>();

const ready = new WeakSet<HTMLElement>();
/** Whether an element has said that its paragraph is shown. */
export const wasReady = (host: HTMLElement): boolean => ready.has(host);

/** Parts whose code or content is still missing. */
const MISSING = '.element-loading, .result-skeleton, .result-pending, .chart-box:empty';

/**
 * Emits `tiding-ready`, and `tiding-painted` after the frame in which no part is missing. Returns
 * a function that withdraws the second.
 */
export function emitShown(
  host: HTMLElement,
  detail: TidingEventDetails['tiding-ready'],
): () => void {
  emitEvent(host, 'tiding-ready', detail);
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
    if (client || !note || !paragraph || (look !== 'report' && look !== 'embed')) return false;
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

  async #fetch(signal: AbortSignal, renewed: boolean): Promise<Response> {
    const { server, token, note, paragraph, look } = this.#values as Record<string, string>;
    const base = new URL(server!, document.baseURI);
    const url = new URL(
      `${base.pathname.replace(/\/$/, '')}/api/magpie/first-view/` +
        `${encodeURIComponent(note!)}/${encodeURIComponent(paragraph!)}`,
      base,
    );
    url.searchParams.set('look', look!);
    url.searchParams.set('width', String(this.#host.clientWidth));
    if (this.#revision) url.searchParams.set('revision', this.#revision);
    const authorization = `Bearer ${await tokenOf(token as TokenSource, renewed)}`;
    const response = await fetch(url, {
      headers: { authorization },
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    return response.status === 401 && !renewed && typeof token === 'function'
      ? this.#fetch(signal, true)
      : response;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    try {
      const response = await this.#fetch(signal, false);
      const answer = (response.ok ? await response.json() : {}) as Answer;
      if (signal.aborted) return;
      if (!answer.revision) return this.#wake();
      if (answer.body) this.#show(answer);
    } catch {
      if (signal.aborted) return;
      // Like a view that is offline, it keeps what it shows.
      if (!this.#shown) return this.#wake();
    }
    this.#poll(signal);
  }

  #poll(signal: AbortSignal): void {
    this.#timer = setTimeout(() => {
      const { top, bottom } = this.#host.getBoundingClientRect();
      const isSeen = document.visibilityState === 'visible' && bottom > 0 && top < innerHeight;
      if (isSeen) void this.#ask(signal);
      else this.#poll(signal);
    }, POLL_MS);
  }

  #show({ revision, path = '', css = '', body }: Answer): void {
    const host = this.#host;
    const root = host.shadowRoot!;
    const before = this.#shown;
    const next = made(body!);
    if (!(next instanceof HTMLElement)) return this.#wake();
    next.tabIndex = 0;
    next.setAttribute('role', 'group');
    const sheet = constructedSheet(css, root);
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
