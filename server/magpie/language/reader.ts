/** Reads a script token by token, and reports what was expected if something else is found. */
import { StatementError } from '../contract.ts';
import { BodyError, parseBody } from './json.ts';
import {
  type BodyComments,
  blankEnd,
  braceEnd,
  dollarEnd,
  locationOf,
  readSql,
  stringEnd,
  wordPattern,
} from './lexer.ts';
import type { Body, BodyValue, Ref } from './statements.ts';

/** Quotes a name so that {@link Reader.name} reads it back unchanged. */
export const quotedName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/**
 * Reads tokens from a script. Errors are {@link StatementError} `ParseError` with their location.
 */
export class Reader {
  readonly text: string;
  at = 0;
  /**
   * Syntax of the current statement, which is appended to every error. A function, because looking
   * it up is only needed for errors.
   */
  form: (() => string | undefined) | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Throws a `ParseError`. */
  fail(message: string, at = this.at): never {
    const form = this.form?.();
    throw new StatementError(
      'ParseError',
      form === undefined ? message : `${message} Syntax: ${form}`,
      locationOf(this.text, at),
    );
  }

  /** Skips whitespace and comments. */
  blank(): void {
    const { at, open } = blankEnd(this.text, this.at);
    if (open !== undefined) this.fail('This comment is not closed.', open);
    this.at = at;
  }

  /** The next character, or '' at the end. */
  next(): string {
    this.blank();
    return this.text[this.at] ?? '';
  }

  get isAtEnd(): boolean {
    return this.next() === '';
  }

  /** The next token, for an error message. */
  found(): string {
    this.blank();
    if (this.at >= this.text.length) return 'the end of the script';
    return `"${this.#word() ?? this.text[this.at]}"`;
  }

  /** The next keyword in lower case, without consuming it. Undefined if there is none. */
  peek(): string | undefined {
    this.blank();
    return this.#word()?.toLowerCase();
  }

  #word(): string | undefined {
    wordPattern.lastIndex = this.at;
    return wordPattern.exec(this.text)?.[0];
  }

  /** Up to `count` next keywords, without consuming them. */
  ahead(count: number): string[] {
    const before = this.at;
    const words: string[] = [];
    for (let word = this.peek(); word !== undefined && words.length < count; word = this.peek()) {
      words.push(word);
      this.at += word.length;
      if (blankEnd(this.text, this.at).open !== undefined) break;
    }
    this.at = before;
    return words;
  }

  /** Consumes these keywords, separated by spaces, if all of them come next. */
  accept(words: string): boolean {
    const wanted = words.split(' ');
    const before = this.at;
    for (const [index, word] of wanted.entries()) {
      this.hint(wanted.slice(index).join(' '));
      if (this.peek() !== word) {
        this.at = before;
        return false;
      }
      this.at += word.length;
    }
    return true;
  }

  /** Announces keywords that may come next. Consumes nothing; used by completion. */
  hint(..._words: readonly string[]): void {}

  /** Consumes the first of these keyword sequences that matches. */
  acceptOne<const Words extends string>(...all: readonly Words[]): Words | undefined {
    return all.find((words) => this.accept(words));
  }

  /** Consumes required keywords. */
  expect(words: string): void {
    if (!this.accept(words)) this.fail(`Expected "${words}", found ${this.found()}.`);
  }

  /** Consumes one of these keyword sequences. One of them is required. */
  expectOne<const Words extends string>(...all: readonly Words[]): Words {
    return (
      this.acceptOne(...all) ??
      this.fail(`Expected ${all.map((words) => `"${words}"`).join(' or ')}, found ${this.found()}.`)
    );
  }

  /** Reads a name: bare, in backticks or in double quotes. */
  name(what: string): string {
    const here = this.next();
    if (here === '`' || here === '"') {
      const start = this.at;
      const name = this.#quoted(here, 'name');
      if (name === '') this.fail(`The ${what} is empty.`, start);
      return name;
    }
    const word = this.#word();
    if (word === undefined) this.fail(`Expected the ${what}, found ${this.found()}.`);
    this.at += word.length;
    return word;
  }

  /** Reads the name after optional keywords such as `in data source`. */
  nameAfter(words: string): string | undefined {
    const type = words.slice(words.indexOf(' ') + 1);
    return this.accept(words) ? this.name(`name of the ${type}`) : undefined;
  }

  ref(what: string): Ref {
    const parts = [this.name(what)];
    while (this.text[this.at] === '.') {
      this.at += 1;
      parts.push(this.name(what));
    }
    return parts;
  }

  /** Reads a user name: everything up to whitespace or `;`, because it may be an email address. */
  userName(): string {
    const here = this.next();
    if (here === '`' || here === '"') return this.name('user name');
    const bare = /[^\s;]+/y;
    bare.lastIndex = this.at;
    const name = bare.exec(this.text)?.[0];
    if (name === undefined) this.fail(`Expected a user name, found ${this.found()}.`);
    this.at += name.length;
    return name;
  }

  /** Reads a string in single or double quotes. The quote is doubled inside the string. */
  string(what: string): string {
    const here = this.next();
    if (here !== '"' && here !== "'")
      this.fail(`Expected the ${what} as a string, found ${this.found()}.`);
    return this.#quoted(here, 'string');
  }

  /** Reads text in quotes, which are doubled inside the text. */
  #quoted(quote: string, what: string): string {
    const end = stringEnd(this.text, this.at, false);
    if (end < 0) this.fail(`This ${what} is not closed.`);
    const text = this.text.slice(this.at + 1, end - 1).replaceAll(quote + quote, quote);
    this.at = end;
    return text;
  }

  json(): Body {
    if (this.next() !== '{') this.fail(`Expected a body { … }, found ${this.found()}.`);
    try {
      const { value, end } = parseBody(this.text, this.at);
      this.at = end;
      return value as { readonly [key: string]: BodyValue };
    } catch (error) {
      if (error instanceof BodyError) this.fail(error.message, error.at);
      throw error;
    }
  }

  /** Reads a body if one comes next. The default is an empty object. */
  optionalJson(): Body {
    return this.next() === '{' ? this.json() : {};
  }

  /** Reads the script of a task, without its braces or dollar signs. */
  script(comments: BodyComments): string {
    const here = this.next();
    const dollar = here === '$' ? dollarEnd(this.text, this.at) : undefined;
    if (dollar === undefined && here !== '{')
      this.fail(`Expected a script in { … } or $$ … $$, found ${this.found()}.`);
    const end = dollar ?? braceEnd(this.text, this.at, comments);
    if (end < 0) this.fail('This script is not closed.');
    const mark = dollar === undefined ? 1 : this.text.indexOf('$', this.at + 1) + 1 - this.at;
    const script = this.text.slice(this.at + mark, end - mark);
    this.at = end;
    return script;
  }

  /** Reads a query in parentheses, without them. */
  query(): string {
    if (this.next() !== '(') this.fail(`Expected a query in ( … ), found ${this.found()}.`);
    const query = this.#sql(this.at + 1, ')');
    this.at += 1;
    if (query.trim() === '') this.fail('The query is empty.', this.at - 1);
    return query.trim();
  }

  /** Reads the rest of the statement as SQL. */
  sql(): string {
    this.blank();
    return this.#sql(this.at, ';').trimEnd();
  }

  #sql(start: number, stop: ';' | ')'): string {
    const { text, end, open } = readSql(this.text, start, stop);
    if (open) this.fail(`This ${open.what} is not closed.`, open.at);
    this.at = end;
    return text;
  }
}
