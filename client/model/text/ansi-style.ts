/**
 * A terminal color: 0–15 is a palette entry, which the page's theme maps to a color; otherwise
 * `#rrggbb`.
 */
export type AnsiColor = number | `#${string}`;

/**
 * Style of a piece of terminal text. Absent fields have their default. `inverse` swaps foreground
 * and background.
 */
export interface AnsiStyle {
  /** Foreground color. */
  readonly fg?: AnsiColor;
  /** Background color. */
  readonly bg?: AnsiColor;
  /** SGR 1. */
  readonly bold?: true;
  /** SGR 2. */
  readonly dim?: true;
  /** SGR 3. */
  readonly italic?: true;
  /** SGR 4. */
  readonly underline?: true;
  /** SGR 7. */
  readonly inverse?: true;
}

const ATTRIBUTES = ['fg', 'bg', 'bold', 'dim', 'italic', 'underline', 'inverse'] as const;

type Draft = { -readonly [Key in keyof AnsiStyle]: AnsiStyle[Key] };

const hex = (value: number): string =>
  Math.min(255, Math.max(0, value)).toString(16).padStart(2, '0');

/** Converts one of the 256 terminal colors: 16 palette entries, a 6×6×6 cube, 24 grays. */
function indexed(index: number): AnsiColor | undefined {
  if (index < 16) return index;
  if (index > 255) return undefined;
  if (index > 231) {
    const gray = hex(8 + 10 * (index - 232));
    return `#${gray}${gray}${gray}`;
  }
  const level = (step: number): string => hex(step === 0 ? 0 : 55 + 40 * step);
  const cube = index - 16;
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}

/**
 * Reads `5;n` or `2;r;g;b`. With colons, a color space may precede the red value. Also returns the
 * count of numbers used.
 */
function extended(
  numbers: readonly number[],
  colons: boolean,
): { color: AnsiColor | undefined; used: number } {
  const [kind, ...rest] = numbers;
  if (kind === 5) return { color: rest[0] === undefined ? undefined : indexed(rest[0]), used: 2 };
  if (kind !== 2) return { color: undefined, used: 1 };
  const [red, green, blue] = colons && rest.length > 3 ? rest.slice(1) : rest;
  if (red === undefined || green === undefined || blue === undefined)
    return { color: undefined, used: 4 };
  return { color: `#${hex(red)}${hex(green)}${hex(blue)}`, used: 4 };
}

function reset(style: Draft, ...keys: (keyof AnsiStyle)[]): void {
  for (const key of keys) delete style[key];
}

/** Applies one simple attribute. Unsupported ones (blinking, fonts, …) are ignored. */
function attribute(style: Draft, code: number): void {
  if (code === 0) reset(style, ...ATTRIBUTES);
  else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 3) style.italic = true;
  else if (code === 4 || code === 21) style.underline = true;
  else if (code === 7) style.inverse = true;
  else if (code === 22) reset(style, 'bold', 'dim');
  else if (code === 23) reset(style, 'italic');
  else if (code === 24) reset(style, 'underline');
  else if (code === 27) reset(style, 'inverse');
  else if (code === 39) reset(style, 'fg');
  else if (code === 49) reset(style, 'bg');
  else if (code >= 30 && code <= 37) style.fg = code - 30;
  else if (code >= 40 && code <= 47) style.bg = code - 40;
  else if (code >= 90 && code <= 97) style.fg = code - 82;
  else if (code >= 100 && code <= 107) style.bg = code - 92;
}

/**
 * Returns the style after an SGR sequence (`ESC [ … m`).
 *
 * @param parameters the text between `ESC [` and `m`: numbers separated by `;`, sub-parameters by
 * `:`; empty means 0
 */
export function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  const next: Draft = { ...style };
  const fields = parameters.split(';').map((field) => field.split(':').map(Number));
  for (let at = 0; at < fields.length; at += 1) {
    const [code = 0, ...sub] = fields[at] ?? [];
    if (code === 38 || code === 48 || code === 58) {
      const numbers =
        sub.length > 0 ? sub : fields.slice(at + 1, at + 5).map(([number = 0]) => number);
      const { color, used } = extended(numbers, sub.length > 0);
      if (sub.length === 0) at += used;
      // 58 sets the color of the underline, which is not displayed.
      if (color !== undefined && code === 38) next.fg = color;
      if (color !== undefined && code === 48) next.bg = color;
    } else if (code === 4 && sub[0] === 0) reset(next, 'underline');
    else attribute(next, code);
  }
  return next;
}

/** Whether two styles look the same. */
export function sameStyle(a: AnsiStyle, b: AnsiStyle): boolean {
  return ATTRIBUTES.every((key) => a[key] === b[key]);
}
