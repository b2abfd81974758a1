/** Makes plain Python of a script of IPython, and restores what is not. */

/** Cell magics whose cell is Python. The cells of others are in another language. */
const PYTHON_CELL = /^%%(?:time|timeit|capture|prun|memit)\b/;
const MAGIC_LINE = /^\s*(?:%%?[A-Za-z_]|!)/;
const ASSIGNED_MAGIC = /^(\s*[\w.,\t ]+=[\t ]*)(?:%[A-Za-z_]|!)/;
const HELP_LINE = /^\s*(?:\?{1,2}[\w.*]+|[\w.*]+\?{1,2})\s*$/;

/**
 * Replaces magics, shell commands and help in a script. Returns undefined if the
 * script is in another language.
 * @param replace returns a Python name for a piece of the script
 */
function maskScript(script: string, replace: (piece: string) => string): string | undefined {
  if (script.startsWith('%%') && !PYTHON_CELL.test(script)) return undefined;
  const scanner = new StatementScanner();
  let isContinued = false;
  return script
    .split('\n')
    .map((line) => {
      if (isContinued || (scanner.isAtStatement && isMagic(line))) {
        const start = isContinued
          ? indentOf(line)
          : (ASSIGNED_MAGIC.exec(line)?.[1] ?? indentOf(line));
        const piece = line.slice(start.length).trimEnd();
        isContinued = piece.endsWith('\\');
        return piece === '' ? line : `${start}${replace(piece)}`;
      }
      scanner.read(line);
      return line;
    })
    .join('\n');
}

const indentOf = (line: string): string => /^\s*/.exec(line)![0];
const isMagic = (line: string): boolean =>
  MAGIC_LINE.test(line) || ASSIGNED_MAGIC.test(line) || HELP_LINE.test(line);

/** Finds lines that continue a statement: in brackets, in a long string or after a backslash. */
class StatementScanner {
  #depth = 0;
  #quote = '';
  #isContinued = false;

  get isAtStatement(): boolean {
    return this.#depth === 0 && this.#quote === '' && !this.#isContinued;
  }

  read(line: string): void {
    this.#isContinued = line.endsWith('\\');
    for (let at = 0; at < line.length; at += 1) {
      const character = line[at]!;
      if (this.#quote !== '') {
        if (character === '\\') at += 1;
        else if (line.startsWith(this.#quote, at)) {
          at += this.#quote.length - 1;
          this.#quote = '';
        }
      } else if (character === '#') {
        this.#isContinued = false;
        break;
      } else if (character === '"' || character === "'") {
        const long = character.repeat(3);
        this.#quote = line.startsWith(long, at) ? long : character;
        at += this.#quote.length - 1;
      } else if ('([{'.includes(character)) this.#depth += 1;
      else if (')]}'.includes(character)) this.#depth = Math.max(0, this.#depth - 1);
    }
    // A short string ends with its line.
    if (this.#quote.length === 1 && !this.#isContinued) this.#quote = '';
  }
}

/** Replaces each piece by a name of the same length, so that positions stay the same. */
export const maskForCheck = (script: string): string | undefined =>
  maskScript(script, (piece) => '_'.repeat(piece.length));

/**
 * Replaces each piece by a name of its own.
 * @returns the script, and a function that puts the pieces back, or returns undefined if some are
 * missing
 */
export function maskForFormat(
  script: string,
): { script: string; restore: (formatted: string) => string | undefined } | undefined {
  const pieces: string[] = [];
  const masked = maskScript(script, (piece) => `__tiding_${pieces.push(piece) - 1}__`);
  if (masked === undefined) return undefined;
  const restore = (formatted: string): string | undefined => {
    const found = new Set<number>();
    const text = formatted.replace(/__tiding_(\d+)__/g, (whole, number: string) => {
      found.add(Number(number));
      return pieces[Number(number)] ?? whole;
    });
    return found.size === pieces.length ? text : undefined;
  };
  return { script: masked, restore };
}
