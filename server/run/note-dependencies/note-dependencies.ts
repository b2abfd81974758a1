/**
 * Says which paragraphs of a note use what others make, and which ran before that changed. Names
 * are read from texts; no code runs for this.
 */
import { splitMagic } from '@tiding/client/model';
import { filledForms } from '@tiding/client/notebook';
import type { ParagraphDependencies } from '@tiding/client/protocol';
import { Slots } from '../../base/slots.ts';
import { pipeThrough } from '../../interpreters/processes/pipe-through.ts';
import program from '../../interpreters/programs/names.py?raw';
import { basePython } from '../../interpreters/python/environment.ts';
import { maskForCheck } from '../../interpreters/python/ruff/source.ts';
import type { Logger } from '../../logging/log.ts';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import type { ResultStore } from '../../results/store.ts';
import type { InterpreterLookup } from '../interpreter-lookup.ts';
import { staleCauses } from './last-run.ts';
import { scriptNames, tableName } from './sql-names.ts';

/** Longer texts have no names, in characters. */
const MAX_TEXT = 100_000;
/** Texts whose names are kept. */
const MAX_KEPT = 2_000;
/** Space of the names of tables. The other spaces are interpreters with variables of their own. */
const TABLES = '';

/** A text, and the space of its names. */
interface Code {
  readonly key: string;
  readonly language: 'python' | 'sql' | 'other';
  readonly space: string;
  readonly text: string;
}

/** A part of a text; names have their space in front. `query` is SQL that names further tables. */
interface Part {
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly query?: string | undefined;
}

/** Names that a text writes, and that it reads before it writes them. */
type Names = Readonly<Record<'writes' | 'reads', ReadonlySet<string>>>;

const none: Names = { writes: new Set(), reads: new Set() };
const inSpace = (space: string, names: readonly string[]) =>
  names.map((name) => `${space} ${name}`);
const shown = (names: ReadonlySet<string>) =>
  [...names].map((name) => name.slice(name.indexOf(' ') + 1));

/** Names that a text of Python writes and reads. */
interface PythonNames {
  /** Variables. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** Tables of `z.put`, and of `z.table` and `z.get`. */
  readonly puts: readonly string[];
  readonly gets: readonly string[];
  /** Texts of `z.sql`. */
  readonly queries: readonly string[];
}

/** Returns the names of each text; null if it can't be parsed. Runs none of them. */
async function pythonNames(texts: readonly string[]): Promise<(PythonNames | null)[]> {
  if (texts.length === 0) return [];
  // Magics and shell commands are not Python. Cells of other languages have no names.
  const input = JSON.stringify(texts.map((text) => maskForCheck(text) ?? ''));
  // -I and -S: no code of users or packages runs at the start.
  return JSON.parse(await pipeThrough(basePython(), ['-I', '-S', '-c', program], input));
}

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
    const writers = new Map<string, number[]>();
    for (const [at, { writes }] of names.entries())
      if (paragraphs[at]!.config?.enabled !== false)
        for (const name of writes) writers.set(name, [...(writers.get(name) ?? []), at]);
    const inputs = names.map(({ reads }, index) => {
      const found = [...reads].flatMap((name) => {
        const others = (writers.get(name) ?? []).filter((at) => at !== index);
        return others.findLast((at) => at < index) ?? others[0] ?? [];
      });
      return [...new Set(found)].sort((one, other) => one - other);
    });
    const causes = staleCauses(paragraphs, inputs);
    return paragraphs.map(({ id }, index) => ({
      id,
      writes: shown(names[index]!.writes),
      reads: shown(names[index]!.reads),
      dependsOn: inputs[index]!.map((at) => paragraphs[at]!.id),
      staleBecause: causes[index],
    }));
  }

  #codeOf(note: StoredNote, paragraph: StoredParagraph): Code | undefined {
    const find = (given: string) => {
      const { magic, options, script } = splitMagic(given);
      return { found: this.#options.lookup.find(magic, note, options), script };
    };
    const { language: before } = find(paragraph.text).found ?? {};
    const { found, script: text } = find(filledForms(note, paragraph, before).text);
    if (!found || text.trim() === '' || text.length > MAX_TEXT) return undefined;
    const { group, name, variant } = found;
    // `%python.sql` reads the frames of Python.
    const isSql = group === 'sql' || (group === 'python' && variant === 'sql');
    const language = isSql ? 'sql' : found.language === 'python' ? 'python' : 'other';
    if (language === 'other' && !['javascript', 'scala'].includes(found.language ?? '')) return;
    const space = group === 'sql' ? TABLES : name;
    return { key: JSON.stringify([language, space, text]), language, space, text };
  }

  /** Returns the names of each text. Asks for all that are not kept at once. */
  async #namesOf(codes: readonly (Code | undefined)[]): Promise<Names[]> {
    const asked = codes.filter((code): code is Code => !!code && !this.#kept.has(code.key));
    const found = await this.#find(asked).catch((error: Error) => {
      this.#options.log.warn({ reason: error.message }, 'the names in texts could not be read');
      return new Map<string, Names>();
    });
    const all = codes.map((code) => found.get(code?.key ?? '') ?? this.#kept.get(code?.key ?? ''));
    for (const [key, names] of found) this.#kept.set(key, names);
    for (const key of this.#kept.keys()) if (this.#kept.size > MAX_KEPT) this.#kept.delete(key);
    return all.map((names) => names ?? none);
  }

  async #find(codes: readonly Code[]): Promise<Map<string, Names>> {
    const python = codes.filter(({ language }) => language === 'python');
    const inPython = await pythonNames(python.map(({ text }) => text));
    const parts = codes.map((code) => partsOf(code, inPython[python.indexOf(code)]));
    const queries = parts.flat().flatMap(({ query }) => query ?? []);
    const tables = queries.length > 0 ? await this.#options.results.queryTables(queries) : [];
    const tablesOf = new Map(queries.map((query, index) => [query, tables[index]]));
    return new Map(
      codes.map(({ key, language, space }, index) => {
        const [writes, reads] = [new Set<string>(), new Set<string>()];
        for (const part of parts[index]!) {
          const named = tablesOf.get(part.query ?? '')?.map((each) => tableName(each)) ?? [];
          const all = [...part.reads, ...inSpace(language === 'sql' ? space : TABLES, named)];
          for (const name of all) if (!writes.has(name)) reads.add(name);
          for (const name of part.writes) writes.add(name);
        }
        return [key, { writes, reads }];
      }),
    );
  }
}

function partsOf({ language, space, text }: Code, python: PythonNames | null | undefined): Part[] {
  const tables = (names: readonly string[]) =>
    names.map((name) => `${TABLES} ${tableName([name])}`);
  if (language === 'sql')
    return scriptNames(text).map(({ writes, changes, query }) => ({
      writes: inSpace(space, [...writes, ...changes]),
      reads: inSpace(space, changes),
      query,
    }));
  if (language === 'other') {
    const calls = [...text.matchAll(/\bz\.(put|get|table)\(\s*(["'])([^"'\\\n]+)\2/g)];
    const of = (isPut: boolean) =>
      tables(calls.flatMap(([, call, , name]) => ((call === 'put') === isPut ? name! : [])));
    return [{ writes: of(true), reads: of(false) }];
  }
  const { writes = [], reads = [], puts = [], gets = [], queries = [] } = python ?? {};
  return [
    ...queries.map((query) => ({ writes: [], reads: [], query })),
    {
      writes: [...inSpace(space, writes), ...tables(puts)],
      reads: [...inSpace(space, reads), ...tables(gets)],
    },
  ];
}
