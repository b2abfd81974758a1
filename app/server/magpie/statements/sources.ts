/** Files of data sources: where they are, never outside of the source's folder, and how the engine reads them. */
import { mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { quoteName, quoteText } from '../../interpreters/sql-script.ts';
import type {
  FieldDefinition,
  FileDefinition,
  MappingDefinition,
} from '../catalogue/definitions.ts';
import { engineType } from '../catalogue/field-types.ts';
import type { Item } from '../catalogue/state.ts';
import { ExecutionError, MetadataError, type Engine } from '../contract.ts';
import type { Context } from './context.ts';

/** The folder of a data source. Throws unless it is one of files. */
export function rootOf({ files }: Pick<Context, 'files'>, source: Item): string {
  const { sourceType, rootPath } = source.definition;
  if (sourceType !== 'file')
    throw new MetadataError(
      sourceType === 'duckdb'
        ? `The data source ${source.name} is a database and has no files of its own: its tables are read with "mappingType": "JDBC".`
        : unavailable(source.name, sourceType),
    );
  return within(files, typeof rootPath === 'string' ? rootPath : '', 'rootPath');
}

/** What is said of a data source that nothing is read from here. */
export const unavailable = (name: string, sourceType: unknown): string =>
  `Data sources of type ${String(sourceType)} are not available on this server: ${name} keeps its definition, and nothing is read from it.`;

/** A path below a folder. Throws on one that leads out of it. */
export function within(folder: string, path: string, what = 'The path'): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (
    parts.includes('..') ||
    /[\\\p{Cc}]/u.test(path) ||
    (isAbsolute(path) && what === 'rootPath')
  ) {
    throw new MetadataError(
      what === 'rootPath'
        ? '"rootPath" of a data source is a folder below the files of the server, such as "in/daily".'
        : `${what} leads out of the data source: ${path}`,
    );
  }
  return join(folder, ...parts);
}

/** The path of a file or pattern of files in a data source. */
export function pathOf(
  context: Pick<Context, 'files'>,
  source: Item,
  { path, fileName }: Pick<FileDefinition, 'path' | 'fileName'>,
): string {
  return within(within(rootOf(context, source), path), fileName);
}

/** The files that a pattern means. Throws {@link ExecutionError} where there are none, and where a link leads out of the data source. */
export async function filesOf(
  context: Pick<Context, 'files' | 'engine'>,
  source: Item,
  pattern: string,
): Promise<readonly string[]> {
  const { rows } = await context.engine
    .query(`SELECT file FROM glob(${quoteText(pattern)}) ORDER BY file`)
    .catch((error: Error) => {
      // The engine does not follow a link out of the server's files either.
      throw error.message.startsWith('Permission Error') ? leadsOut(pattern, source) : error;
    });
  const found = rows.map(([file]) => String(file));
  if (found.length === 0)
    throw new ExecutionError(
      `There is no file ${pattern.slice(rootOf(context, source).length + 1)} in data source ${source.name}.`,
    );
  await checkLinks(context, source, found);
  return found;
}

const leadsOut = (file: string, source: Item) =>
  new MetadataError(`The file ${file.split(sep).at(-1)} leads out of data source ${source.name}.`);

/** Throws where a file is really somewhere else than below its data source: a link leads out. */
export async function checkLinks(
  context: Pick<Context, 'files'>,
  source: Item,
  found: readonly string[],
): Promise<void> {
  const [root, whole] = await Promise.all([
    realpath(rootOf(context, source)).catch(() => ''),
    realpath(context.files).catch(() => ''),
  ]);
  for (const file of found) {
    const real = await realpath(file);
    if (
      root === '' ||
      !(root === whole || root.startsWith(whole + sep)) ||
      !real.startsWith(root + sep)
    )
      throw leadsOut(file, source);
  }
}

/** Makes a folder of a data source. Throws where a link on the way leads out of it; nothing is made there then. */
export async function makeFolder(
  context: Pick<Context, 'files'>,
  source: Item,
  folder: string,
): Promise<void> {
  const root = rootOf(context, source);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const realRoot = await realpath(root);
  let at = root;
  for (const part of folder.slice(root.length).split(sep).filter(Boolean)) {
    at = join(at, part);
    await mkdir(at, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await realpath(at)).startsWith(realRoot + sep)) throw leadsOut(at, source);
  }
}

/** Removes files of a data source, and the folders that are empty then. */
export async function removeFiles(root: string, files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
  for (const folder of new Set(files.map((file) => dirname(file)))) {
    for (let each = folder; each.startsWith(root + sep); each = dirname(each)) {
      // Something else is in it, or it has gone already.
      if (
        !(await rmdir(each).then(
          () => true,
          (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
        ))
      )
        break;
    }
  }
}

/** The format that an ending says. */
export function formatOf(path: string): FileDefinition['format'] | undefined {
  const plain = path.toLowerCase().replace(/\.(gz|bz2|zst|lz4|snappy|deflate)$/, '');
  if (/\.(csv|tsv)$/.test(plain)) return 'DelimitedText';
  if (/\.(json|jsonl|ndjson|geojson)$/.test(plain)) return 'JSON';
  if (/\.parquet$/.test(plain)) return 'Parquet';
  if (/\.orc$/.test(plain)) return 'ORC';
  return /\.(txt|text|log)$/.test(plain) ? 'text' : undefined;
}

const javaPattern: Readonly<Record<string, string>> = {
  yyyy: '%Y',
  uuuu: '%Y',
  yy: '%y',
  MMMM: '%B',
  MMM: '%b',
  MM: '%m',
  M: '%-m',
  dd: '%d',
  d: '%-d',
  HH: '%H',
  H: '%-H',
  hh: '%I',
  h: '%-I',
  mm: '%M',
  m: '%-M',
  ss: '%S',
  s: '%-S',
  SSSSSS: '%f',
  SSS: '%g',
  a: '%p',
  EEEE: '%A',
  EEE: '%a',
  E: '%a',
  Z: '%z',
  XXX: '%z',
  X: '%z',
  z: '%Z',
  DDD: '%j',
  D: '%-j',
};

/** A pattern of Java's as the engine has it. Throws on a letter that it does not have. */
export function enginePattern(pattern: string): string {
  return pattern.replace(
    /'((?:[^']|'')*)'|([A-Za-z])\2*|%/g,
    (part, quoted: string | undefined) => {
      if (quoted !== undefined)
        return quoted === '' ? "'" : quoted.replaceAll("''", "'").replaceAll('%', '%%');
      if (part === '%') return '%%';
      const found = Object.hasOwn(javaPattern, part) ? javaPattern[part] : undefined;
      if (found === undefined)
        throw new MetadataError(
          `"${part}" of the pattern ${pattern} is not available on this server.`,
        );
      return found;
    },
  );
}

const textOptions = ['encoding'] as const;
const delimitedOptions = [
  'encoding',
  'delimiter',
  'header',
  'quoteCharacter',
  'escapeCharacter',
  'dateFormat',
  'timestampFormat',
  'multiLine',
  'ignoreLeadingWhiteSpace',
  'ignoreTrailingWhiteSpace',
] as const;
const effective: Readonly<Record<string, readonly (keyof FileDefinition)[]>> = {
  DelimitedText: delimitedOptions,
  text: textOptions,
  Parquet: [],
  ORC: [],
  JSON: ['dateFormat', 'timestampFormat', 'ignoreLeadingWhiteSpace', 'ignoreTrailingWhiteSpace'],
};

/** The options of a file that change nothing about how it is read, as sentences. */
export function withoutEffect(file: FileDefinition): string {
  const idle = delimitedOptions.filter(
    (option) => file[option] !== undefined && !effective[file.format]?.includes(option),
  );
  const sentences = [
    ...(idle.length > 0
      ? [`Without effect on files of format ${file.format}: ${idle.join(', ')}.`]
      : []),
    ...(file.format === 'DelimitedText' && file.multiLine === false
      ? ['Line breaks in quotes belong to the value also with "multiLine": false.']
      : []),
  ];
  return sentences.map((sentence) => ` ${sentence}`).join('');
}

/** What stands after FROM to read files. `types`: the engine's types of columns that are not to be guessed. */
export function reader(
  pattern: string,
  file: FileDefinition,
  types: ReadonlyMap<string, string> = new Map(),
): string {
  const path = quoteText(pattern);
  if (file.format === 'ORC')
    throw new MetadataError(
      'Files of format ORC are not available on this server: Parquet, JSON, DelimitedText and text are.',
    );
  const compressed =
    file.format === 'Parquet' ? undefined : /\.(bz2|lz4|snappy|deflate)$/i.exec(pattern)?.[1];
  if (compressed !== undefined)
    throw new MetadataError(
      `Files that are compressed as ${compressed.toLowerCase()} are not available on this server: those of .gz and .zst are, and those that are not compressed.`,
    );
  // The folders of a file that was written here have nothing that it has not itself, and with its types.
  const folders = file.partitionBy === undefined ? [] : ['hive_partitioning=false'];
  const encoding =
    file.encoding === undefined ? [] : [`encoding=${quoteText(file.encoding.toLowerCase())}`];
  if (file.format === 'Parquet') return `read_parquet(${[path, ...folders].join(', ')})`;
  if (file.format === 'JSON')
    return `read_json(${[path, ...folders, ...(file.dateFormat ? [`dateformat=${quoteText(enginePattern(file.dateFormat))}`] : []), ...(file.timestampFormat ? [`timestampformat=${quoteText(enginePattern(file.timestampFormat))}`] : [])].join(', ')})`;
  if (file.format === 'text')
    return `read_csv(${[path, "columns={'value': 'VARCHAR'}, header=false, delim='\\x00', quote='', escape='', auto_detect=false", ...encoding].join(', ')})`;
  const options = [
    ...folders,
    types.size === 0
      ? undefined
      : `types={${[...types].map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`).join(', ')}}`,
    ...encoding,
    file.delimiter === undefined ? undefined : `delim=${quoteText(file.delimiter)}`,
    file.header === undefined ? undefined : `header=${file.header}`,
    file.quoteCharacter === undefined ? undefined : `quote=${quoteText(file.quoteCharacter)}`,
    file.escapeCharacter === undefined ? undefined : `escape=${quoteText(file.escapeCharacter)}`,
    file.dateFormat === undefined
      ? undefined
      : `dateformat=${quoteText(enginePattern(file.dateFormat))}`,
    file.timestampFormat === undefined
      ? undefined
      : `timestampformat=${quoteText(enginePattern(file.timestampFormat))}`,
  ];
  return `read_csv(${[path, ...options.filter((option) => option !== undefined)].join(', ')})`;
}

/** The columns of a query. */
async function columnsOf(
  engine: Engine,
  query: string,
): Promise<readonly { readonly name: string; readonly type: string }[]> {
  const { rows } = await engine.query(`DESCRIBE ${query}`);
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Fields whose types hold for what a table reads; of `known` ones those that it has. */
export type Fields = readonly FieldDefinition[] | { readonly known: readonly FieldDefinition[] };

/** A query with the types that the fields of its table say. Throws where it has no such column. */
export async function withTypes(
  engine: Engine,
  query: string,
  given: Fields = [],
): Promise<string> {
  const fields = 'known' in given ? given.known : given;
  if (fields.length === 0) return query;
  const columns = await columnsOf(engine, query);
  const unknown =
    'known' in given
      ? undefined
      : fields.find(
          (field) => !columns.some(({ name }) => name.toLowerCase() === field.name.toLowerCase()),
        );
  if (unknown)
    throw new MetadataError(
      `There is no field ${unknown.name} in what the table reads: it has ${columns.map(({ name }) => name).join(', ')}.`,
    );
  const list = columns.map(({ name, type }) => {
    const field = fields.find((each) => each.name.toLowerCase() === name.toLowerCase());
    const wanted = field && engineType(field.fieldType);
    return wanted === undefined || wanted === type
      ? quoteName(name)
      : `CAST(${quoteName(name)} AS ${wanted}) AS ${quoteName(name)}`;
  });
  return list.some((column) => column.startsWith('CAST('))
    ? `SELECT ${list.join(', ')} FROM (${query}\n)`
    : query;
}

/** The query behind a table over files: its columns named, cut and typed as its mapping and fields say. */
export async function fileQuery(
  engine: Engine,
  pattern: string,
  {
    file,
    mapping,
  }: Pick<Extract<MappingDefinition, { mappingType: 'FileSystem' }>, 'file' | 'mapping'>,
  given: Fields = [],
  read = reader,
): Promise<string> {
  const fields = 'known' in given ? given.known : given;
  let columns = await columnsOf(engine, `SELECT * FROM ${read(pattern, file)}`);
  const typed = fields.flatMap((field) => {
    const source =
      mapping?.find(({ targetField }) => targetField.toLowerCase() === field.name.toLowerCase())
        ?.sourceField ?? field.name;
    const column = columns.find(({ name }) => name.toLowerCase() === source.toLowerCase());
    const type = engineType(field.fieldType);
    return column && type !== undefined ? [[column.name, type] as const] : [];
  });
  // Text such as 007 shall not be guessed to be a number first.
  const from = read(pattern, file, new Map(file.format === 'DelimitedText' ? typed : []));
  if (typed.length > 0) columns = await columnsOf(engine, `SELECT * FROM ${from}`);
  const chosen =
    mapping?.map(({ sourceField, targetField }) => {
      const found =
        columns.find(({ name }) => name === sourceField) ??
        columns.find(({ name }) => name.toLowerCase() === sourceField.toLowerCase());
      if (!found)
        throw new MetadataError(
          `The file has no field ${sourceField}: it has ${columns.map(({ name }) => name).join(', ')}.`,
        );
      return { ...found, as: targetField };
    }) ?? columns.map((column) => ({ ...column, as: column.name }));
  const trims = [
    ...(file.ignoreLeadingWhiteSpace ? ['ltrim'] : []),
    ...(file.ignoreTrailingWhiteSpace ? ['rtrim'] : []),
  ];
  const list = chosen.map(({ name, type, as }) => {
    const value =
      type === 'VARCHAR'
        ? trims.reduce((inner, trim) => `${trim}(${inner})`, quoteName(name))
        : quoteName(name);
    return value === quoteName(as) ? value : `${value} AS ${quoteName(as)}`;
  });
  return withTypes(engine, `SELECT ${list.join(', ')} FROM ${from}`, given);
}
