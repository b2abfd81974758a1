/** Reads a script piece by piece, and says what was expected where it is not there. */
import { StatementError } from '../contract.ts';
import { BodyError, readJson } from './json.ts';
import {
  blankEnd,
  braceEnd,
  dollarEnd,
  placeOf,
  readSql,
  stringEnd,
  wordPattern,
  type BodyComments,
} from './lexer.ts';
import type { Body, Json, Ref } from './statements.ts';

/** A name as {@link Reader.name} reads it, whatever is in it. */
export const quotedName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** See the head of this file. What it throws is a {@link StatementError} `ParseError` with its place. */
export class Reader {
  readonly text: string;
  at = 0;
  /** How the statement that is read looks as a whole; told with every error, and looked up for that only. */
  form: (() => string | undefined) | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Ends the reading. */
  fail(message: string, at = this.at): never {
    const form = this.form?.();
    throw new StatementError(
      'ParseError',
      form === undefined ? message : `${message} The statement is: ${form}`,
      placeOf(this.text, at),
    );
  }

  /** Skips blanks and comments. */
  blank(): void {
    const { at, open } = blankEnd(this.text, this.at);
    if (open !== undefined) this.fail('This comment does not end.', open);
    this.at = at;
  }

  /** The character that comes next, '' at the end. */
  next(): string {
    this.blank();
    return this.text[this.at] ?? '';
  }

  get isAtEnd(): boolean {
    return this.next() === '';
  }

  /** What comes next, for an error. */
  found(): string {
    this.blank();
    if (this.at >= this.text.length) return 'the end of the script';
    wordPattern.lastIndex = this.at;
    return `"${wordPattern.exec(this.text)?.[0] ?? this.text[this.at]}"`;
  }

  /** The keyword that comes next, in small letters; undefined where none does. Nothing is consumed. */
  peek(): string | undefined {
    this.blank();
    wordPattern.lastIndex = this.at;
    return wordPattern.exec(this.text)?.[0].toLowerCase();
  }

  /** Up to `count` keywords that come next. Nothing is consumed. */
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

  /** Consumes these keywords, separated by blanks, where all of them come next. */
  accept(words: string): boolean {
    const wanted = words.split(' ');
    const before = this.at;
    for (const word of wanted) {
      if (this.peek() !== word) {
        this.at = before;
        return false;
      }
      this.at += word.length;
    }
    return true;
  }

  /** These keywords may come next. Nothing is consumed; it is for who completes what is written. */
  hint(..._words: readonly string[]): void {}

  /** Consumes one of some keyword sequences; the first that fits. */
  acceptOne<const Words extends string>(...all: readonly Words[]): Words | undefined {
    return all.find((words) => this.accept(words));
  }

  /** Consumes keywords that have to come. */
  expect(words: string): void {
    if (!this.accept(words)) this.fail(`"${words}" is expected here, not ${this.found()}.`);
  }

  /** Consumes one of some keyword sequences, of which one has to come. */
  expectOne<const Words extends string>(...all: readonly Words[]): Words {
    return (
      this.acceptOne(...all) ??
      this.fail(
        `${all.map((words) => `"${words}"`).join(' or ')} is expected here, not ${this.found()}.`,
      )
    );
  }

  /** A name, bare or in backticks or double quotes. */
  name(what: string): string {
    const here = this.next();
    if (here === '`' || here === '"') {
      const end = stringEnd(this.text, this.at, false);
      if (end < 0) this.fail('This name does not end.');
      const name = this.text.slice(this.at + 1, end - 1).replaceAll(here + here, here);
      if (name === '') this.fail(`The ${what} is empty.`);
      this.at = end;
      return name;
    }
    wordPattern.lastIndex = this.at;
    const word = wordPattern.exec(this.text)?.[0];
    if (word === undefined) this.fail(`The ${what} is expected here, not ${this.found()}.`);
    this.at += word.length;
    return word;
  }

  /** A dotted name. */
  ref(what: string): Ref {
    const parts = [this.name(what)];
    while (this.text[this.at] === '.') {
      this.at += 1;
      parts.push(this.name(what));
    }
    return parts;
  }

  /** A user's name: bare to a blank or `;`, because it may be an address. */
  userName(): string {
    const here = this.next();
    if (here === '`' || here === '"') return this.name('user name');
    const bare = /[^\s;]+/y;
    bare.lastIndex = this.at;
    const name = bare.exec(this.text)?.[0];
    if (name === undefined) this.fail(`A user name is expected here, not ${this.found()}.`);
    this.at += name.length;
    return name;
  }

  /** A string in single or double quotes; its quote is doubled inside. */
  string(what: string): string {
    const here = this.next();
    if (here !== '"' && here !== "'")
      this.fail(`The ${what} is expected here as a string, not ${this.found()}.`);
    const end = stringEnd(this.text, this.at, false);
    if (end < 0) this.fail('This string does not end.');
    const value = this.text.slice(this.at + 1, end - 1).replaceAll(here + here, here);
    this.at = end;
    return value;
  }

  /** A body that is an object. */
  json(): Body {
    if (this.next() !== '{') this.fail(`A body { … } is expected here, not ${this.found()}.`);
    try {
      const { value, end } = readJson(this.text, this.at);
      this.at = end;
      return value as { readonly [key: string]: Json };
    } catch (error) {
      if (error instanceof BodyError) this.fail(error.message, error.at);
      throw error;
    }
  }

  /** A body where one comes next, else an empty one. */
  optionalJson(): Body {
    return this.next() === '{' ? this.json() : {};
  }

  /** The script of a task, in braces or dollars, without those. */
  script(comments: BodyComments): string {
    const here = this.next();
    const dollar = here === '$' ? dollarEnd(this.text, this.at) : undefined;
    if (dollar === undefined && here !== '{')
      this.fail(`A script in { … } or $$ … $$ is expected here, not ${this.found()}.`);
    const end = dollar ?? braceEnd(this.text, this.at, comments);
    if (end < 0) this.fail('This script does not end.');
    const mark = dollar === undefined ? 1 : this.text.indexOf('$', this.at + 1) + 1 - this.at;
    const script = this.text.slice(this.at + mark, end - mark);
    this.at = end;
    return script;
  }

  /** A query in brackets, without them. */
  query(): string {
    if (this.next() !== '(') this.fail(`A query in ( … ) is expected here, not ${this.found()}.`);
    const query = this.#sql(this.at + 1, ')');
    this.at += 1;
    if (query.trim() === '') this.fail('The query is empty.', this.at - 1);
    return query.trim();
  }

  /** The rest of the statement as SQL. */
  sql(): string {
    this.blank();
    return this.#sql(this.at, ';').trimEnd();
  }

  #sql(start: number, stop: ';' | ')'): string {
    const { text, end, open } = readSql(this.text, start, stop);
    if (open) this.fail(`This ${open.what} does not end.`, open.at);
    this.at = end;
    return text;
  }
}
