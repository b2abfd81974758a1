/**
 * Splits SQL statements into the tables that they write and the queries that they contain. The
 * engine can only parse queries.
 */
import {
  foldName,
  type SqlToken,
  splitStatements,
  tokenize,
} from '../../interpreters/sql/script.ts';

/** What a statement does to tables. Names are folded, and without the default schema. */
export interface StatementNames {
  readonly writes: readonly string[];
  /** Tables that it changes: these are read and written. */
  readonly changes: readonly string[];
  /** SQL that names the other tables that it reads. */
  readonly query: string | undefined;
}

/** Returns the name of a table of parts such as schema and name. Parts may be empty. */
export function tableName(parts: readonly string[]): string {
  const folded = parts.filter((part) => part !== '').map(foldName);
  // The database of a note is `main`, and so is its first schema.
  const isDefault = folded.slice(0, -1).every((part) => part === 'main' || part === 'temp');
  return isDefault ? folded.at(-1)! : folded.join('.');
}

/** Returns what each statement of a script does. */
export const scriptNames = (sql: string): StatementNames[] =>
  splitStatements(sql).map((statement) => new Statement(statement).names());

const changers = ['create', 'insert', 'update', 'delete', 'copy', 'drop', 'alter', 'pivot'];
const queryStarts = ['with', 'select', 'from', 'values', 'table', 'describe', 'summarize'];

class Statement {
  readonly #sql: string;
  readonly #tokens: readonly SqlToken[];
  /** The words outside of brackets, in lower case; empty for other tokens. */
  readonly #words: readonly string[];

  constructor(sql: string) {
    this.#sql = sql;
    this.#tokens = tokenize(sql);
    let depth = 0;
    this.#words = this.#tokens.map(({ kind, text }) => {
      if (kind === 'symbol') depth += '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
      return kind === 'word' && depth === 0 ? text.toLowerCase() : '';
    });
  }

  get #end(): number {
    return this.#tokens.length;
  }

  /** Index of the first of these words from an index on; that of the end if there is none. */
  #find(from: number, ...words: readonly string[]): number {
    const at = this.#words.findIndex((word, index) => index >= from && words.includes(word));
    return at < 0 ? this.#end : at;
  }

  #text(from: number, to = this.#end): string | undefined {
    const [first, last] = [this.#tokens[from], this.#tokens[to - 1]];
    return first && last && from < to ? this.#sql.slice(first.start, last.end) : undefined;
  }

  /** Reads the name at an index, after `if exists` and `if not exists`. */
  #name(from: number): { name: string[]; next: number } {
    let next = from;
    while (['if', 'not', 'exists'].includes(this.#words[next] ?? '')) next += 1;
    const parts: string[] = [];
    do {
      const { kind, text } = this.#tokens[next] ?? {};
      if (kind !== 'word' && kind !== 'quoted') return { name: [], next };
      parts.push(kind === 'word' ? text! : text!.slice(1, -1).replaceAll('""', '"'));
      next += 2;
    } while (this.#tokens[next - 1]?.text === '.');
    return { name: [tableName(parts)], next: next - 1 };
  }

  names(): StatementNames {
    const main = this.#find(0, ...changers, ...queryStarts.slice(1));
    const kind = this.#words[main];
    const found = (names: Partial<StatementNames>, query?: string): StatementNames => ({
      writes: [],
      changes: [],
      ...names,
      query: query && `${this.#text(0, main) ?? ''} ${query}`,
    });
    if (kind === 'create') {
      const [as, type] = [this.#find(main, 'as'), this.#find(main, 'table', 'view')];
      return type > as
        ? found({})
        : found({ writes: this.#name(type + 1).name }, this.#text(as + 1));
    }
    if (kind === 'drop') return found({ writes: this.#name(main + 2).name });
    if (kind === 'alter') return found({ changes: this.#name(main + 2).name });
    if (kind === 'pivot')
      return found({}, `FROM ${this.#text(main + 1, this.#find(main, 'on', 'using', 'group'))}`);
    if (kind === 'copy') {
      const { name, next } = this.#name(main + 1);
      if (this.#words[next] === 'from' && name.length > 0) return found({ changes: name });
      const to = this.#find(main, 'to');
      return found({}, `FROM ${this.#text(main + 1, name.length > 0 ? next : to)}`);
    }
    if (kind === 'insert') {
      const { name, next } = this.#name(this.#find(main, 'into') + 1);
      const query = this.#find(next, ...queryStarts);
      // `insert into t (select …)`
      const start = query < this.#end ? query : next;
      const conflict = this.#find(start, 'conflict') - 1;
      const end = this.#words[conflict] === 'on' ? conflict : this.#find(start, 'returning');
      return found({ changes: name }, this.#text(start, end));
    }
    if (kind === 'update') {
      const { name, next } = this.#name(main + 1);
      // The assignments, the tables and the condition are a query.
      const rest = this.#text(this.#find(next, 'set') + 1, this.#find(next, 'returning'));
      return found({ changes: name }, rest && `SELECT ${rest}`);
    }
    if (kind === 'delete') {
      const { name, next } = this.#name(this.#find(main, 'from') + 1);
      const using = this.#find(next, 'using') + 1;
      const end = this.#find(next, 'returning');
      const rest = this.#text(using, end) ?? this.#text(this.#find(next, 'where'), end);
      return found({ changes: name }, rest && `SELECT 1 ${using < end ? 'FROM ' : ''}${rest}`);
    }
    return { ...found({}), query: this.#sql };
  }
}
