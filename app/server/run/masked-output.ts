/** Output of a run without the passwords that its interpreter was given: `###` stands for each, as upstream has it. */
import type { KeptTable, RunOutput } from '../interpreters/contract.ts';

const MASK = '###';

/** A password as it may be printed: as it is, inside HTML, and inside JSON. */
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

/** Longest first: one password may be the beginning of another. */
const spellings = (passwords: ReadonlySet<string>): string[] =>
  [...new Set([...passwords].flatMap(spellingsOf))]
    .filter((text) => text !== '')
    .sort((one, other) => other.length - one.length);

/** A complete text with every password replaced. */
export function maskPasswords(text: string, passwords: ReadonlySet<string>): string {
  return mask(text, spellings(passwords), true).shown;
}

/** JSON in which every text, names too, has its passwords replaced. */
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

/** `rest`: the end of the text that may be the beginning of a password; '' where nothing follows. */
function mask(
  text: string,
  secrets: readonly string[],
  isEnd: boolean,
): { shown: string; rest: string } {
  let shown = '';
  let from = 0;
  // The first place where one could stand is found by the engine; only there they are compared.
  const starts = new Set(secrets.map((secret) => secret[0]));
  for (let at = 0; at < text.length && secrets.length > 0; at += 1) {
    if (!starts.has(text[at])) continue;
    // A longer one that may still be coming goes before a shorter one that is there.
    if (
      !isEnd &&
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

/** See the head of this file. What may be the beginning of a password waits until more comes, or until `finish`. */
export class MaskedOutput implements RunOutput {
  readonly #output: RunOutput;
  readonly #passwords: ReadonlySet<string>;
  #known: { size: number; secrets: string[] } = { size: 0, secrets: [] };
  #rest = '';

  /** `passwords` may grow while the run goes on. */
  constructor(output: RunOutput, passwords: ReadonlySet<string>) {
    this.#output = output;
    this.#passwords = passwords;
  }

  get #secrets(): string[] {
    if (this.#known.size !== this.#passwords.size)
      this.#known = { size: this.#passwords.size, secrets: spellings(this.#passwords) };
    return this.#known.secrets;
  }

  write(text: string): void {
    const { shown, rest } = mask(this.#rest + text, this.#secrets, false);
    this.#rest = rest;
    if (shown !== '') this.#output.write(shown);
  }

  add(type: Parameters<RunOutput['add']>[0], data: string): void {
    this.finish();
    // Bytes of a picture are no text.
    this.#output.add(type, type === 'IMG' ? data : mask(data, this.#secrets, true).shown);
  }

  replace(data: string): void {
    this.finish();
    this.#output.replace(mask(data, this.#secrets, true).shown);
  }

  /** Passwords are searched for in text alone: where the interpreter has some, what is shown is all that is kept. */
  whole(table: KeptTable): void {
    if (this.#passwords.size === 0) this.#output.whole(table);
  }

  clear(): void {
    this.#rest = '';
    this.#output.clear();
  }

  /** Nothing more is written. */
  finish(): void {
    const { shown } = mask(this.#rest, this.#secrets, true);
    this.#rest = '';
    if (shown !== '') this.#output.write(shown);
  }
}
