/**
 * Masks passwords in the output of runs: each password that the interpreter received is replaced by
 * `###`, as in Zeppelin.
 */
import type { KeptTable, RunOutput } from '../../interpreters/contract.ts';

const MASK = '###';

/**
 * Returns the forms in which a password may be printed: verbatim, escaped for HTML, and escaped for
 * JSON.
 */
function spellingsOf(password: string): string[] {
  const html = password.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = html.replaceAll('"', '&quot;');
  return [
    password,
    html,
    quoted,
    quoted.replaceAll("'", '&#39;'),
    quoted.replaceAll("'", '&#x27;'),
    JSON.stringify(password).slice(1, -1),
  ];
}

/**
 * Returns the forms of all passwords, longest first, because one password may be a prefix of
 * another.
 */
const allSpellings = (passwords: ReadonlySet<string>): string[] =>
  [...new Set([...passwords].flatMap(spellingsOf))]
    .filter((text) => text !== '')
    .sort((a, b) => b.length - a.length);

/** Returns a complete text with every password replaced. */
export function maskPasswords(text: string, passwords: ReadonlySet<string>): string {
  return mask(text, allSpellings(passwords), true).shown;
}

/** Returns a JSON value with the passwords in all strings, including keys, replaced. */
export function maskValues(value: unknown, passwords: ReadonlySet<string>): unknown {
  if (passwords.size === 0) return value;
  if (typeof value === 'string') return maskPasswords(value, passwords);
  if (Array.isArray(value)) return value.map((each) => maskValues(each, passwords));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      maskPasswords(name, passwords),
      maskValues(each, passwords),
    ]),
  );
}

/**
 * Replaces passwords. `rest` is the end of the text that may be the beginning of a password. It is
 * empty if the text is complete (`isComplete`).
 */
function mask(
  text: string,
  secrets: readonly string[],
  isComplete: boolean,
): { shown: string; rest: string } {
  let shown = '';
  let from = 0;
  // Compare secrets only at positions whose character starts one of them.
  const firstCharacters = new Set(secrets.map((secret) => secret[0]));
  for (let at = 0; at < text.length && secrets.length > 0; at += 1) {
    if (!firstCharacters.has(text[at])) continue;
    // A longer password that may still arrive takes precedence over a shorter one that is complete.
    if (
      !isComplete &&
      secrets.some(
        (secret) => secret.length > text.length - at && secret.startsWith(text.slice(at)),
      )
    )
      return { shown: shown + text.slice(from, at), rest: text.slice(at) };
    const found = secrets.find((secret) => text.startsWith(secret, at));
    if (found === undefined) continue;
    shown += text.slice(from, at) + MASK;
    at += found.length - 1;
    from = at + 1;
  }
  return { shown: shown + text.slice(from), rest: '' };
}

/**
 * Run output that masks passwords. Text that may be the beginning of a password is held back until
 * more arrives, or until `finish`.
 */
export class MaskedOutput implements RunOutput {
  readonly #output: RunOutput;
  readonly #passwords: ReadonlySet<string>;
  #cache: { size: number; secrets: string[] } = { size: 0, secrets: [] };
  #heldBack = '';

  /** `passwords` may grow during the run. */
  constructor(output: RunOutput, passwords: ReadonlySet<string>) {
    this.#output = output;
    this.#passwords = passwords;
  }

  get #secrets(): string[] {
    if (this.#cache.size !== this.#passwords.size)
      this.#cache = { size: this.#passwords.size, secrets: allSpellings(this.#passwords) };
    return this.#cache.secrets;
  }

  write(text: string): void {
    const { shown, rest } = mask(this.#heldBack + text, this.#secrets, false);
    this.#heldBack = rest;
    if (shown !== '') this.#output.write(shown);
  }

  terminal(text: string): void {
    this.finish();
    // Nothing is held back, because users wait for the echo of what they type.
    this.#output.terminal?.(mask(text, this.#secrets, true).shown);
  }

  add(type: Parameters<RunOutput['add']>[0], data: string): void {
    this.finish();
    // Image data is not text.
    this.#output.add(type, type === 'IMG' ? data : mask(data, this.#secrets, true).shown);
  }

  replace(data: string): void {
    this.finish();
    this.#output.replace(mask(data, this.#secrets, true).shown);
  }

  /**
   * Keeps the complete table only if the interpreter has no passwords, because they can be masked
   * only in text.
   */
  whole(table: KeptTable): void {
    if (this.#passwords.size === 0) this.#output.whole(table);
  }

  storing(table: KeptTable, rows: number): void {
    this.#output.storing(table, rows);
  }

  clear(): void {
    this.#heldBack = '';
    this.#output.clear();
  }

  /** Flushes held-back text; nothing more is written. */
  finish(): void {
    const { shown } = mask(this.#heldBack, this.#secrets, true);
    this.#heldBack = '';
    if (shown !== '') this.#output.write(shown);
  }
}
