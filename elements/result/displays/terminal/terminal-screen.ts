import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import { styleInside } from '../../parts/style-inside.ts';
import { policyDocument } from './policy-document.ts';

/** Lines above the visible ones that can be scrolled to. */
const SCROLLBACK_LINES = 5_000;
/** Places at which the text of an output that was cut is compared with the text before. */
const MAX_OVERLAPS = 100;

/** Receives what the user types, and the size of the screen in characters. */
interface TerminalListener {
  onType(text: string): void;
  onSize(columns: number, rows: number): void;
}

/** The parts of xterm that use the page's document, whatever the options say. */
interface XtermCore {
  readonly _core: {
    readonly onWillOpen: (listener: () => void) => void;
    readonly _coreBrowserService: { mainDocument: Document };
    readonly _renderService: {
      readonly _renderer: { readonly value: { readonly _rowFactory: { _document: Document } } };
    };
  };
}

/** The screen of a terminal, drawn by xterm. */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #root: ShadowRoot;
  /** The output shown: the first `#count` of these chunks. */
  #shown: readonly string[] = [];
  #count = 0;
  #writing = 0;
  #lastKey = '';

  constructor(box: HTMLElement, listener: TerminalListener) {
    this.#root = box.getRootNode() as ShadowRoot;
    const style = policyDocument(this.#root);
    const { fontFamily, fontSize } = getComputedStyle(box);
    this.#terminal = new Terminal({
      fontFamily,
      fontSize: Number.parseFloat(fontSize),
      lineHeight: 1.2,
      scrollback: SCROLLBACK_LINES,
      // Programs choose colours for a black screen; the theme may have another one.
      minimumContrastRatio: 4.5,
      theme: themeOf(box),
      documentOverride: style,
    });
    this.#terminal.loadAddon(this.#fit);
    const { _core: core } = this.#terminal as unknown as XtermCore;
    core.onWillOpen(() => {
      core._coreBrowserService.mainDocument = style;
    });
    this.#terminal.open(box);
    core._renderService._renderer.value._rowFactory._document = style;
    // The box around it can be reached with Tab, and Enter leads to the text area.
    this.#terminal.textarea!.tabIndex = -1;
    this.#terminal.attachCustomKeyEventHandler((event) => this.#isForProgram(event));
    this.#terminal.onData((text) => {
      // Also programs cause input, by asking for the cursor's position. One viewer must answer.
      if (this.#writing === 0 && this.hasFocus) listener.onType(text);
    });
    this.#terminal.onResize(({ cols, rows }) => listener.onSize(cols, rows));
  }

  get hasFocus(): boolean {
    return this.#root.activeElement === this.#terminal.textarea;
  }

  get size(): readonly [columns: number, rows: number] {
    return [this.#terminal.cols, this.#terminal.rows];
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** Adapts the number of columns and rows to the size of the box. */
  fit(): void {
    this.#fit.fit();
  }

  /** Resolves the colours of the theme again. */
  recolor(box: HTMLElement): void {
    this.#terminal.options.theme = themeOf(box);
  }

  set canType(value: boolean) {
    this.#terminal.options.disableStdin = !value;
    this.#terminal.options.cursorInactiveStyle = value ? 'outline' : 'none';
  }

  set screenReader(value: boolean) {
    this.#terminal.options.screenReaderMode = value;
  }

  /** Shows the first `count` chunks, of which only the new ones are written if possible. */
  show(chunks: readonly string[], count: number): void {
    const isSame = chunks === this.#shown && count >= this.#count;
    const before = isSame ? '' : this.#shown.slice(0, this.#count).join('');
    const text = chunks.slice(isSame ? this.#count : 0, count).join('');
    this.#shown = chunks;
    this.#count = count;
    const known = isSame ? 0 : overlap(before, text);
    if (!isSame && known === 0) this.#terminal.reset();
    this.#write(text.slice(known), !isSame && known === 0);
  }

  /** @param isReplay programs have got the answers to what they asked in it */
  #write(text: string, isReplay: boolean): void {
    if (!isReplay) return this.#terminal.write(text);
    this.#writing += 1;
    this.#terminal.write(text, () => (this.#writing -= 1));
  }

  #isForProgram(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return true;
    const { key, ctrlKey, metaKey } = event;
    const leaves = key === 'Tab' && this.#lastKey === 'Escape';
    if (key !== 'Shift') this.#lastKey = key;
    const isCopy = key.toLowerCase() === 'c' && this.#terminal.hasSelection();
    const isClipboard = (ctrlKey || metaKey) && (isCopy || key.toLowerCase() === 'v');
    return !leaves && !isClipboard;
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}

/**
 * Length of the end of `before` with which `text` begins. The server drops the beginning of a long
 * output at the start of a line; here it may remain on the screen.
 */
function overlap(before: string, text: string): number {
  if (text.startsWith(before)) return before.length;
  const line = text.slice(0, text.indexOf('\n') + 1 || undefined);
  if (line === '') return 0;
  let at = before.indexOf(line);
  for (let tries = 0; at >= 0 && tries < MAX_OVERLAPS; tries += 1) {
    if (text.startsWith(before.slice(at))) return before.length - at;
    at = before.indexOf(line, at + 1);
  }
  return 0;
}

/** Tokens of the sixteen colours, as in text output. */
const tokens = {
  foreground: 'text',
  background: 'surface',
  cursor: 'text',
  cursorAccent: 'surface',
  selectionBackground: 'surface-selected',
  scrollbarSliderBackground: 'border',
  scrollbarSliderHoverBackground: 'border-strong',
  scrollbarSliderActiveBackground: 'border-strong',
  black: 'text',
  red: 'danger-text',
  green: 'success-text',
  yellow: 'warning-text',
  blue: 'info-text',
  magenta: 'code-keyword',
  cyan: 'code-type',
  white: 'text-secondary',
  brightBlack: 'text-tertiary',
  brightRed: 'danger-text',
  brightGreen: 'success-text',
  brightYellow: 'warning-text',
  brightBlue: 'info-text',
  brightMagenta: 'code-keyword',
  brightCyan: 'code-type',
  brightWhite: 'text',
} as const satisfies { [Color in keyof ITheme]: string };

/** Resolves the theme's colours at an element. */
function themeOf(element: Element): ITheme {
  return Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [
      name,
      styleInside(element, { color: `var(--_${token})` }).color,
    ]),
  );
}
