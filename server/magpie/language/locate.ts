/** Finds the location of the part of a statement that an error is about. */
import { tokenize } from '../../interpreters/sql/script.ts';
import type { ErrorSubject, SourceLocation } from '../contract.ts';
import { parseBody } from './json.ts';
import { locationOf, readSql } from './lexer.ts';
import { statement } from './parser.ts';
import { Reader } from './reader.ts';
import type { Body, Ref } from './statements.ts';

interface NamePart {
  readonly text: string;
  readonly at: number;
}

/** A qualified name in a script. `what` says what it names: `name of the table`. */
interface NameInScript {
  readonly what: string;
  readonly parts: readonly NamePart[];
}

/** Reader that records where names, members and SQL are. */
class LocatingReader extends Reader {
  readonly names: NameInScript[] = [];
  readonly members: { readonly path: readonly string[]; readonly at: number }[] = [];
  /** SQL of the user, including SQL in the members of a body. */
  readonly texts: NamePart[] = [];
  #qualified: NamePart[] | undefined;

  override name(what: string): string {
    return this.#recorded(what, () => super.name(what));
  }

  override ref(what: string): Ref {
    const parts: NamePart[] = [];
    this.#qualified = parts;
    const ref = super.ref(what);
    this.#qualified = undefined;
    this.names.push({ what, parts });
    return ref;
  }

  override userName(): string {
    return this.#recorded('user', () => super.userName());
  }

  override string(what: string): string {
    return this.#recorded(what, () => super.string(what));
  }

  #recorded(what: string, read: () => string): string {
    this.blank();
    const { at } = this;
    const text = read();
    if (this.#qualified) this.#qualified.push({ text, at });
    else this.names.push({ what, parts: [{ text, at }] });
    return text;
  }

  override json(): Body {
    this.blank();
    const start = this.at;
    const body = super.json();
    parseBody(this.text, start, (path, value, at) => {
      this.members.push({ path, at });
      if (typeof value !== 'string') return;
      this.names.push({ what: path.join(' '), parts: [{ text: value, at }] });
      // Offsets in a text with escapes differ from those in the script.
      if (this.text.startsWith(value, at + 1)) this.texts.push({ text: value, at: at + 1 });
    });
    return body;
  }

  override query(): string {
    this.blank();
    const start = this.at + 1;
    const text = super.query();
    const raw = readSql(this.text, start, ')').text;
    this.texts.push({ text, at: start + raw.length - raw.trimStart().length });
    return text;
  }

  override sql(): string {
    this.blank();
    const { at } = this;
    const text = super.sql();
    this.texts.push({ text, at });
    return text;
  }
}

const isSame = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();

/**
 * The location of the subject of an error. `start` is the location of the statement in the script.
 * Undefined if the statement does not contain the subject.
 */
export function locateSubject(
  script: string,
  start: SourceLocation,
  subject: ErrorSubject,
): SourceLocation | undefined {
  const reader = new LocatingReader(script);
  reader.at = offsetOf(script, start);
  statement(reader);
  const at = subject.sql
    ? offsetInSql(reader.texts, subject.sql, subject.name)
    : subject.member
      ? offsetOfMember(reader.members, subject.member)
      : subject.name && offsetOfName(reader.names, subject.name);
  return at === undefined ? undefined : locationOf(script, at);
}

function offsetOf(text: string, { line, column }: SourceLocation): number {
  let at = 0;
  for (let each = 1; each < line; each += 1) at = text.indexOf('\n', at) + 1;
  return at + column - 1;
}

/** A path may name a member that is missing. Its closest parent is then the location. */
function offsetOfMember(
  members: LocatingReader['members'],
  path: readonly string[],
): number | undefined {
  const found = members
    .filter((member) => member.path.every((key, index) => key === path[index]))
    .sort((a, b) => b.path.length - a.path.length);
  return found[0]?.at;
}

/**
 * The same text may occur in several names of a statement. The best match has the same parts before
 * it, the same length, and names an object of the same type.
 */
function offsetOfName(
  names: readonly NameInScript[],
  { ref, part = ref.length - 1, type = '' }: NonNullable<ErrorSubject['name']>,
): number | undefined {
  const kind = type.split(' ').at(-1)!.toLowerCase();
  const found = names.flatMap(({ what, parts }) =>
    parts.flatMap(({ text, at }, index) =>
      isSame(text, ref[part]!)
        ? [
            {
              at,
              score:
                (index === part &&
                ref.slice(0, part).every((each, i) => isSame(parts[i]?.text, each))
                  ? 4
                  : 0) +
                (what.toLowerCase().includes(kind) ? 2 : 0) +
                (parts.length === ref.length ? 1 : 0),
            },
          ]
        : [],
    ),
  );
  return found.sort((a, b) => b.score - a.score)[0]?.at;
}

/**
 * The engine ran `text`, which may contain SQL of the user. Without an offset in it, the name is
 * looked up in the SQL of the user, where it most likely follows a word such as FROM.
 */
function offsetInSql(
  own: readonly NamePart[],
  { text, offset }: NonNullable<ErrorSubject['sql']>,
  name: ErrorSubject['name'],
): number | undefined {
  const wanted = name && name.ref[name.part ?? name.ref.length - 1]!;
  const sorted = own
    .filter((each) => each.text !== '')
    .sort((a, b) => b.text.length - a.text.length);
  for (const each of offset === undefined ? [] : sorted) {
    for (let from = text.indexOf(each.text); from >= 0; from = text.indexOf(each.text, from + 1)) {
      const inside = offset! - from;
      if (inside >= 0 && inside <= each.text.length)
        return each.at + (wanted === undefined ? inside : partOfName(each.text, inside, wanted));
    }
  }
  if (wanted === undefined) return undefined;
  const found = sorted.flatMap((each) => {
    const tokens = tokenize(each.text);
    return tokens.flatMap((token, index) => {
      if (!isSame(nameOfToken(token), wanted)) return [];
      let first = index;
      while (tokens[first - 1]?.text === '.') first -= 2;
      const follows = /^(?:from|join|into|update|using)$/i.test(tokens[first - 1]?.text ?? '');
      return [{ at: each.at + token.start, score: follows ? 1 : 0 }];
    });
  });
  return found.sort((a, b) => b.score - a.score)[0]?.at;
}

const nameOfToken = ({ kind, text }: ReturnType<typeof tokenize>[number]): string | undefined =>
  kind === 'word' ? text : kind === 'quoted' ? text.slice(1, -1).replaceAll('""', '"') : undefined;

/** The engine locates a qualified name by its start. Returns the offset of its part `wanted`. */
function partOfName(sql: string, start: number, wanted: string): number {
  const tokens = tokenize(sql);
  let index = tokens.findIndex((token) => token.start === start);
  let at = start;
  for (; index >= 0 && tokens[index]; index += 2) {
    const token = tokens[index]!;
    if (isSame(nameOfToken(token), wanted)) at = token.start;
    if (tokens[index + 1]?.text !== '.') break;
  }
  return at;
}
