/**
 * Says which paragraphs of a note use what others make, and which ran before that changed. Names are
 * read from texts; no code runs for this.
 */
import { splitMagic } from '@tiding/client/model';
import { filledForms } from '@tiding/client/notebook';
import type { ParagraphDependencies } from '@tiding/client/protocol';
import { Slots } from '../../base/slots.ts';
import type { Logger } from '../../logging/log.ts';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import type { ResultStore } from '../../results/store.ts';
import type { InterpreterLookup } from '../interpreter-lookup.ts';
import { lastRunOf } from './last-run.ts';
import { pythonNames } from './python-names.ts';
import { scriptNames, tableName } from './sql-names.ts';

/** Longer texts have no names, in characters. */
const MAX_TEXT = 100_000;
/** Texts whose names are kept. */
const MAX_KEPT = 2_000;
/** Space of the names of tables. The other spaces are interpreters with variables of their own. */
const TABLES = '';

/** A text, and the space of its names. */
interface Code {
  readonly language: 'python' | 'sql' | 'other';
  readonly space: string;
  readonly text: string;
}

/** Names of a paragraph, each with its space in front. */
interface Names {
  readonly writes: ReadonlySet<string>;
  /** What it reads before it writes it. */
  readonly reads: ReadonlySet<string>;
}

/** A part of a paragraph; `query` is SQL that names further tables. */
interface Part {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly query?: string | undefined;
}

const none: Names = { writes: new Set(), reads: new Set() };
const nameIn = (space: string, name: string): string => `${space} ${name}`;
const shownName = (name: string): string => name.slice(name.indexOf(' ') + 1);
const keyOf = ({ language, space, text }: Code): string => `${language} ${space} ${text}`;

/** Dependencies of {@link NoteDependencies}. */
interface NoteDependenciesOptions {
  readonly lookup: Pick<InterpreterLookup, 'find'>;
  readonly results: Pick<ResultStore, 'queryTables'>;
  readonly log: Logger;
}

/** Finds the dependencies between the paragraphs of a note. */
export class NoteDependencies {
  readonly #options: NoteDependenciesOptions;
  readonly #kept = new Map<string, Names>();
  readonly #slots = new Slots(2);

  constructor(options: NoteDependenciesOptions) {
    this.#options = options;
  }

  /** Returns the dependencies of each paragraph, in the order of the note. */
  async of(note: StoredNote): Promise<ParagraphDependencies[]> {
    const paragraphs = [...note.paragraphs];
    const codes = paragraphs.map((paragraph) => this.#codeOf(note, paragraph));
    const names = await this.#slots.use(undefined, () => this.#namesOf(codes));
    const writes = (name: string) => (_: unknown, index: number) =>
      paragraphs[index]!.config?.enabled !== false && names[index]!.writes.has(name);
    const inputs = names.map(({ reads }, index) => {
      const found = [...reads].map((name) => {
        const above = paragraphs.slice(0, index).findLastIndex(writes(name));
        if (above >= 0) return above;
        const below = paragraphs.findIndex(writes(name));
        return below === index ? -1 : below;
      });
      return [...new Set(found)].filter((at) => at >= 0).sort((one, other) => one - other);
    });
    const causes = staleCauses(paragraphs, inputs);
    return paragraphs.map(({ id }, index) => ({
      id,
      writes: [...names[index]!.writes].map(shownName),
      reads: [...names[index]!.reads].map(shownName),
      dependsOn: inputs[index]!.map((at) => paragraphs[at]!.id),
      staleBecause: causes[index],
    }));
  }

  #codeOf(note: StoredNote, paragraph: StoredParagraph): Code | undefined {
    const find = (text: string) => {
      const { magic, options } = splitMagic(text);
      return this.#options.lookup.find(magic, note, options);
    };
    const { text } = filledForms(note, paragraph, find(paragraph.text)?.language);
    const { script } = splitMagic(text);
    const found = find(text);
    if (!found || script.trim() === '' || script.length > MAX_TEXT) return undefined;
    const { group, language, name, variant } = found;
    // `%python.sql` reads the frames of Python.
    if (group === 'sql' || (group === 'python' && variant === 'sql'))
      return { language: 'sql', space: group === 'sql' ? TABLES : name, text: script };
    if (language === 'python') return { language, space: name, text: script };
    if (language === 'javascript' || language === 'scala')
      return { language: 'other', space: name, text: script };
    return undefined;
  }

  /** Returns the names of each text. Asks for all that are not kept at once. */
  async #namesOf(codes: readonly (Code | undefined)[]): Promise<Names[]> {
    const asked = codes.filter((code): code is Code => !!code && !this.#kept.has(keyOf(code)));
    const wanted = [...new Map(asked.map((code) => [keyOf(code), code])).values()];
    const found = new Map<string, Names>();
    try {
      const python = wanted.filter(({ language }) => language === 'python');
      const inPython = await pythonNames(python.map(({ text }) => text));
      const parts = wanted.map((code) => partsOf(code, inPython[python.indexOf(code)]));
      const queries = parts.flat().flatMap(({ query }) => query ?? []);
      const tables = queries.length > 0 ? await this.#options.results.queryTables(queries) : [];
      const tablesOf = new Map(queries.map((query, index) => [query, tables[index]]));
      for (const [index, code] of wanted.entries()) {
        const space = code.language === 'sql' ? code.space : TABLES;
        const [writes, reads] = [new Set<string>(), new Set<string>()];
        for (const part of parts[index]!) {
          const named = tablesOf.get(part.query ?? '')?.map((each) => tableName(each)) ?? [];
          for (const name of [...part.reads, ...named.map((each) => nameIn(space, each))])
            if (!writes.has(name)) reads.add(name);
          for (const name of part.writes) writes.add(name);
        }
        found.set(keyOf(code), { writes, reads });
      }
    } catch (error) {
      this.#options.log.warn(
        { reason: (error as Error).message },
        'the names in paragraphs could not be read',
      );
    }
    const all = codes.map((code) => {
      const key = code && keyOf(code);
      return key === undefined ? none : (found.get(key) ?? this.#kept.get(key) ?? none);
    });
    for (const [key, names] of found) this.#kept.set(key, names);
    for (const key of this.#kept.keys()) if (this.#kept.size > MAX_KEPT) this.#kept.delete(key);
    return all;
  }
}

function partsOf(
  { language, space, text }: Code,
  python: Awaited<ReturnType<typeof pythonNames>>[number] | undefined,
): Part[] {
  const named = (place: string, list: readonly string[]) => list.map((name) => nameIn(place, name));
  const tables = (list: readonly string[]) =>
    named(
      TABLES,
      list.map((name) => tableName([name])),
    );
  if (language === 'sql')
    return scriptNames(text).map(({ writes, changes, query }) => ({
      writes: named(space, [...writes, ...changes]),
      reads: named(space, changes),
      query,
    }));
  if (language === 'python')
    return python
      ? [
          ...python.queries.map((query) => ({ writes: [], reads: [], query })),
          {
            writes: [...named(space, python.writes), ...tables(python.puts)],
            reads: [...named(space, python.reads), ...tables(python.gets)],
          },
        ]
      : [];
  const calls = [...text.matchAll(/\bz\.(put|get|table)\(\s*(["'])([^"'\\\n]+)\2/g)];
  const of = (isPut: boolean) =>
    tables(calls.flatMap(([, call, , name]) => ((call === 'put') === isPut ? [name!] : [])));
  return [{ writes: of(true), reads: of(false) }];
}

/**
 * Returns for each paragraph the id of the one that makes it stale: itself if its text changed
 * since its run, or an input that ran later, or what makes an input stale.
 */
function staleCauses(
  paragraphs: readonly StoredParagraph[],
  inputs: readonly (readonly number[])[],
): (string | undefined)[] {
  const runs = paragraphs.map(lastRunOf);
  const known = new Map<number, string | undefined>();
  const causeOf = (index: number): string | undefined => {
    const [paragraph, run] = [paragraphs[index]!, runs[index]];
    if (known.has(index) || !run || paragraph.config?.enabled === false) return known.get(index);
    // Until it is known, for paragraphs that use each other.
    known.set(index, undefined);
    const later = inputs[index]!.find((at) => (runs[at]?.ended ?? 0) > run.began);
    const cause = run.hasOtherText
      ? paragraph.id
      : (inputs[index]!.map(causeOf).find(Boolean) ?? paragraphs[later ?? -1]?.id);
    known.set(index, cause);
    return cause;
  };
  return paragraphs.map((_, index) => causeOf(index));
}
