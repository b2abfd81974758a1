/** Builds the SQL that reads files of a data source. */
import { quoteName, quoteText } from '../../../interpreters/sql/script.ts';
import { engineType } from '../../catalogue/field-types.ts';
import { isSameName } from '../../catalogue/state.ts';
import type {
  FieldDefinition,
  FileDefinition,
  MappingDefinition,
} from '../../catalogue/table-definitions.ts';
import { type Engine, MetadataError } from '../../contract.ts';

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

/**
 * Converts a Java date pattern to the engine's format. Throws on a letter that the engine does not
 * support.
 */
function enginePattern(pattern: string): string {
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

/** Options of `read_csv` for a table with a single field `value` that contains each line. */
const WHOLE_LINES = [
  "columns={'value': 'VARCHAR'}",
  'header=false',
  "delim='\\x00'",
  "quote=''",
  "escape=''",
  'auto_detect=false',
];
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

/** Warnings for file options that have no effect on reading. */
export function unusedOptionsNote(file: FileDefinition): string {
  const idle = delimitedOptions.filter(
    (option) => file[option] !== undefined && !effective[file.format]?.includes(option),
  );
  const sentences = [
    ...(idle.length > 0
      ? [`These options have no effect on files of format ${file.format}: ${idle.join(', ')}.`]
      : []),
    ...(file.format === 'DelimitedText' && file.multiLine === false
      ? ['Line breaks inside quotes are always part of the value, even with "multiLine": false.']
      : []),
  ];
  return sentences.map((sentence) => ` ${sentence}`).join('');
}

/**
 * SQL after FROM that reads files. `types` contains engine types of columns whose type is not to be
 * detected.
 */
export function fileReaderSql(
  pattern: string,
  file: FileDefinition,
  types: ReadonlyMap<string, string> = new Map(),
): string {
  const path = quoteText(pattern);
  if (file.format === 'ORC')
    throw new MetadataError(
      'Files of format ORC are not available on this server. ' +
        'Use Parquet, JSON, DelimitedText or text.',
    );
  const compressed =
    file.format === 'Parquet' ? undefined : /\.(bz2|lz4|snappy|deflate)$/i.exec(pattern)?.[1];
  if (compressed !== undefined)
    throw new MetadataError(
      `Files with compression ${compressed.toLowerCase()} are not available on this server. ` +
        'Use .gz, .zst or uncompressed files.',
    );
  // Files written by this server contain the partition columns themselves, with their types. The
  // folder names are ignored.
  const folders = file.partitionBy === undefined ? [] : ['hive_partitioning=false'];
  if (file.format === 'Parquet') return `read_parquet(${[path, ...folders].join(', ')})`;
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}=${quoteText(value)}`];
  const formats = (date: string | undefined, timestamp: string | undefined) => [
    ...option('dateformat', date === undefined ? undefined : enginePattern(date)),
    ...option('timestampformat', timestamp === undefined ? undefined : enginePattern(timestamp)),
  ];
  if (file.format === 'JSON') {
    const own = formats(file.dateFormat || undefined, file.timestampFormat || undefined);
    return `read_json(${[path, ...folders, ...own].join(', ')})`;
  }
  const encoding = option('encoding', file.encoding?.toLowerCase());
  if (file.format === 'text') return `read_csv(${[path, ...WHOLE_LINES, ...encoding].join(', ')})`;
  const typed = [...types].map(([name, type]) => `${quoteText(name)}: ${quoteText(type)}`);
  const options = [
    path,
    ...folders,
    ...(typed.length === 0 ? [] : [`types={${typed.join(', ')}}`]),
    ...encoding,
    ...option('delim', file.delimiter),
    ...(file.header === undefined ? [] : [`header=${file.header}`]),
    ...option('quote', file.quoteCharacter),
    ...option('escape', file.escapeCharacter),
    ...formats(file.dateFormat, file.timestampFormat),
  ];
  return `read_csv(${options.join(', ')})`;
}

/** The columns of a table or query. */
export async function columnsOf(
  engine: Engine,
  query: string,
): Promise<readonly { readonly name: string; readonly type: string }[]> {
  const { rows } = await engine.query(`DESCRIBE ${query}`);
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/**
 * Fields whose types apply to the columns of a table. `known` fields apply only if the column
 * exists.
 */
export type TypedFields =
  | readonly FieldDefinition[]
  | { readonly known: readonly FieldDefinition[] };

/**
 * Casts the columns of a query to the types of the given fields. Throws if the query has no such
 * column.
 */
export async function withTypes(
  engine: Engine,
  query: string,
  given: TypedFields = [],
): Promise<string> {
  const fields = 'known' in given ? given.known : given;
  if (fields.length === 0) return query;
  const columns = await columnsOf(engine, query);
  const unknown =
    'known' in given
      ? undefined
      : fields.find((field) => !columns.some(({ name }) => isSameName(name, field.name)));
  if (unknown)
    throw new MetadataError(
      `The source of the table has no field ${unknown.name}. ` +
        `Its fields are ${columns.map(({ name }) => name).join(', ')}.`,
    );
  const list = columns.map(({ name, type }) => {
    const field = fields.find((each) => isSameName(each.name, name));
    const wanted = field && engineType(field.fieldType);
    return wanted === undefined || wanted === type
      ? quoteName(name)
      : `CAST(${quoteName(name)} AS ${wanted}) AS ${quoteName(name)}`;
  });
  return list.some((column) => column.startsWith('CAST('))
    ? `SELECT ${list.join(', ')} FROM (${query}\n)`
    : query;
}

/**
 * The query behind a table over files: selects, renames, trims and casts columns according to the
 * mapping and fields.
 */
export async function fileQuery(
  engine: Engine,
  pattern: string,
  {
    file,
    mapping,
  }: Pick<Extract<MappingDefinition, { mappingType: 'FileSystem' }>, 'file' | 'mapping'>,
  given: TypedFields = [],
  read = fileReaderSql,
): Promise<string> {
  const fields = 'known' in given ? given.known : given;
  let columns = await columnsOf(engine, `SELECT * FROM ${read(pattern, file)}`);
  const typed = fields.flatMap((field) => {
    const mapped = mapping?.find(({ targetField }) => isSameName(targetField, field.name));
    const source = mapped?.sourceField ?? field.name;
    const column = columns.find(({ name }) => isSameName(name, source));
    const type = engineType(field.fieldType);
    return column && type !== undefined ? [[column.name, type] as const] : [];
  });
  // Without explicit types, text such as 007 would be detected as a number.
  const from = read(pattern, file, new Map(file.format === 'DelimitedText' ? typed : []));
  if (typed.length > 0) columns = await columnsOf(engine, `SELECT * FROM ${from}`);
  const chosen =
    mapping?.map(({ sourceField, targetField }) => {
      const found =
        columns.find(({ name }) => name === sourceField) ??
        columns.find(({ name }) => isSameName(name, sourceField));
      if (!found)
        throw new MetadataError(
          `The file has no field ${sourceField}. ` +
            `Its fields are ${columns.map(({ name }) => name).join(', ')}.`,
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
