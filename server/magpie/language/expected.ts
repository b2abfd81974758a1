/**
 * Determines what may come next in an unfinished script. Runs the parser and records what it
 * expects at the end of the text.
 */
import { StatementError } from '../contract.ts';
import { type BodyComments, blankEnd, readSql } from './lexer.ts';
import { statement, statementKeywords } from './parser.ts';
import { Reader } from './reader.ts';
import type { Ref } from './statements.ts';

interface ExpectedName {
  readonly what: string;
  readonly above: Ref;
  readonly of: Ref | undefined;
}

/** Keywords and names that may come next at the cursor. */
export interface Expected {
  /** Beginning of the word at the cursor. */
  readonly typed: string;
  readonly keywords: readonly string[];
  /**
   * Names that may come next: of which type (`table`, `job or cluster`), after which qualifiers
   * (`core.`), and which object was named before.
   */
  readonly names: readonly ExpectedName[];
  /** The query up to the cursor, if the cursor is inside one. */
  readonly sql: string | undefined;
}

/** Finds what may come next at `cursor`. Undefined inside strings and comments. Never throws. */
export function expectedAt(text: string, cursor: number): Expected | undefined {
  const before = text.slice(0, cursor);
  const typed = /[\p{L}\p{N}_]*$/u.exec(before)![0];
  const read = before.slice(0, before.length - typed.length);
  if (/^\d/.test(typed) || /(?:\/\/|--)[^\n'"]*$/.test(read)) return undefined;
  let start = 0;
  for (;;) {
    const { end, open } = readSql(read, start, ';');
    if (open?.what === 'string' || open?.what === 'comment') return undefined;
    if (open || end >= read.length) break;
    start = end + 1;
  }
  const own = read.slice(start);
  if (blankEnd(own, 0).at >= own.length)
    return { typed, keywords: statementKeywords, names: [], sql: undefined };
  const reader = new ExpectingReader(own);
  try {
    statement(reader);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
  }
  if (reader.unfinished !== undefined)
    return expectedAt(`${reader.unfinished}${typed}`, reader.unfinished.length + typed.length);
  return {
    typed,
    keywords: [...reader.keywords],
    names: reader.names,
    sql: reader.sqlText === undefined ? undefined : `${reader.sqlText}${typed}`,
  };
}

/** Reader that records what the parser expects at the end of the text. */
class ExpectingReader extends Reader {
  readonly keywords = new Set<string>();
  readonly names: ExpectedName[] = [];
  /** A query that continues to the end of the text. */
  sqlText: string | undefined;
  /** A task's `%magpie` script that continues to the end of the text. */
  unfinished: string | undefined;
  #above: Ref = [];
  #last: Ref | undefined;

  get #isDone(): boolean {
    return blankEnd(this.text, this.at).at >= this.text.length;
  }

  override hint(...words: readonly string[]): void {
    if (this.#isDone) for (const word of words) this.keywords.add(word);
  }

  override name(what: string): string {
    if (this.#isDone)
      this.names.push({
        what: what.replace(/^name of the /, ''),
        above: this.#above,
        of: this.#last,
      });
    const name = super.name(what);
    if (this.#above.length === 0) this.#last = [name];
    return name;
  }

  override ref(what: string): Ref {
    const parts: string[] = [];
    try {
      const of = this.#last;
      do {
        if (parts.length > 0) this.at += 1;
        this.#above = [...parts];
        this.#last = of;
        parts.push(this.name(what));
      } while (this.text[this.at] === '.');
    } finally {
      this.#above = [];
    }
    this.#last = parts;
    return parts;
  }

  override userName(): string {
    if (this.#isDone) this.names.push({ what: 'user', above: [], of: this.#last });
    return super.userName();
  }

  override sql(): string {
    this.blank();
    const from = this.at;
    const sql = super.sql();
    if (this.at >= this.text.length) this.sqlText = this.text.slice(from);
    return sql;
  }

  override query(): string {
    if (this.next() === '(') {
      const { open } = readSql(this.text, this.at + 1, ')');
      if (open) this.sqlText = this.text.slice(this.at + 1);
    }
    return super.query();
  }

  override script(comments: BodyComments): string {
    const mark =
      comments === 'magpie'
        ? /^(?:\{|\$\w*\$)/.exec(this.text.slice(blankEnd(this.text, this.at).at))?.[0]
        : undefined;
    const from = blankEnd(this.text, this.at).at + (mark?.length ?? 0);
    try {
      return super.script(comments);
    } catch (error) {
      if (mark !== undefined) this.unfinished = this.text.slice(from);
      throw error;
    }
  }
}
