/** Guesses which fields of a table are keys of another one, by comparing values and names. */
import { setImmediate } from 'node:timers/promises';
import { type Relationship, sortRelationships } from '@tiding/client/model';
import { type Engine, MetadataError } from '../contract.ts';
import {
  aliased,
  chunked,
  countRows,
  describeFields,
  EXACT_ROWS,
  firstRow,
  numericValue,
  type TableField,
  withSignal,
} from './fields.ts';
import { nameSimilarity } from './name-similarity.ts';

interface QualifiedTable {
  readonly schemaName: string;
  readonly tableName: string;
}

/** The tables to search, and restrictions of the search. */
export interface RelationshipSource {
  /** `from` is the SQL that follows FROM. */
  readonly tables: readonly (QualifiedTable & { readonly from: string })[];
  /** Only search between these two tables. */
  readonly between?: readonly [QualifiedTable, QualifiedTable];
  /** Only search between this table and the others, in either direction. */
  readonly of?: QualifiedTable;
}

/** Options of the search. */
export interface RelationshipOptions {
  /** Relationships with a lower score are omitted, 0 to 1. Default: 0. */
  readonly minimumScore?: number;
  /**
   * Maximum number of field pairs whose values are compared. Pairs with the most similar names come
   * first. Default: 1000.
   */
  readonly maximumCandidates?: number;
}

/** Result of the search. */
export interface Relationships {
  readonly relationships: readonly Relationship[];
  /**
   * Number of field pairs that were not compared, because there were too many. Absent if there are
   * none.
   */
  readonly candidatesLeftOut?: number;
}

/** Fewer distinct values could match by accident. */
const MIN_DISTINCT = 3;
/** Minimum share of distinct values in a key. */
const MIN_KEY_SHARE = 0.98;
/** Minimum share of a field's values that are keys of the other table. */
const MIN_CONTAINED_SHARE = 0.8;
/** Threshold for an exact count, because estimates of distinct values may be too low. */
const EXACT_COUNT_THRESHOLD = 0.9;
const FIELDS_PER_SCAN = 100;

interface Column {
  readonly table: Table;
  readonly field: TableField;
  readonly family: 'text' | 'integer' | 'date';
  readonly present: number;
  readonly distinct: number;
  readonly range: readonly [number, number] | undefined;
}
interface Table extends QualifiedTable {
  readonly source: string;
  readonly rowCount: number;
  readonly columns: readonly Column[];
}
/** Fields of one table that may refer to fields of another, in the same order. */
interface Candidate {
  readonly child: readonly Column[];
  readonly parent: readonly Column[];
  readonly similarity: number;
}

/**
 * Finds relationships between tables, the most likely first. The score is a heuristic: 0.45 × share
 * of child values in the parent, 0.15 × uniqueness of the parent values, 0.25 × similarity of the
 * names, 0.15 × share of parent values in use. Rejects with MetadataError for invalid options, with
 * ExecutionError and the engine's message, or with the signal's reason.
 */
export async function discoverRelationships(
  given: Engine,
  source: RelationshipSource,
  options: RelationshipOptions = {},
  signal?: AbortSignal,
): Promise<Relationships> {
  const { minimumScore = 0, maximumCandidates = 1_000 } = options;
  if (!(minimumScore >= 0 && minimumScore <= 1))
    throw new MetadataError('minimumScore must be a number from 0 to 1.');
  if (!(Number.isSafeInteger(maximumCandidates) && maximumCandidates > 0))
    throw new MetadataError('maximumCandidates must be a whole number, at least 1.');
  const engine = withSignal(given, signal);
  const wanted = wantedOf(source);
  const tables: Table[] = [];
  for (const table of source.tables) {
    if (source.between && !source.between.some((name) => isSame(name, table))) continue;
    tables.push(await readTable(engine, table));
  }
  const pairs = tables.flatMap((child) =>
    tables
      .filter((parent) => parent !== child && wanted(child, parent))
      .map((parent) => ({ child, parent })),
  );
  const { candidates, leftOut } = await bestCandidates(pairs, maximumCandidates, signal);
  const found = new Map<string, Relationship>();
  for (const candidate of candidates) {
    const relationship = await compare(engine, candidate);
    if (!relationship || relationship.score < minimumScore) continue;
    // If two keys refer to each other, keep the direction with the higher score.
    const key = [candidate.child, candidate.parent]
      .map((side) =>
        JSON.stringify([
          side[0]!.table.schemaName,
          side[0]!.table.tableName,
          side.map(({ field }) => field.name),
        ]),
      )
      .sort()
      .join();
    if ((found.get(key)?.score ?? -1) < relationship.score) found.set(key, relationship);
  }
  return {
    relationships: sortRelationships([...found.values()]),
    ...(leftOut > 0 ? { candidatesLeftOut: leftOut } : {}),
  };
}

/**
 * The candidates with the most similar names, and the number of candidates left out. Hundreds of
 * tables give millions of candidates, so this yields to other work of the server.
 */
async function bestCandidates(
  pairs: readonly { child: Table; parent: Table }[],
  most: number,
  signal?: AbortSignal,
): Promise<{ candidates: Candidate[]; leftOut: number }> {
  let candidates: Candidate[] = [];
  let count = 0;
  const cut = (): Candidate[] =>
    candidates.sort((a, b) => b.similarity - a.similarity).slice(0, most);
  for (const { child, parent } of pairs) {
    const more = [...simpleCandidates(child, parent), ...compoundCandidates(child, parent)];
    count += more.length;
    candidates.push(...more);
    if (candidates.length > 4 * most) candidates = cut();
    if (more.length > 0) await setImmediate();
    signal?.throwIfAborted();
  }
  candidates = cut();
  return { candidates, leftOut: count - candidates.length };
}

const isSame = (one: QualifiedTable, other: QualifiedTable): boolean =>
  one.schemaName === other.schemaName && one.tableName === other.tableName;

function wantedOf({
  tables,
  between,
  of,
}: RelationshipSource): (child: QualifiedTable, parent: QualifiedTable) => boolean {
  const missing = [...(between ?? []), ...(of ? [of] : [])].find(
    (name) => !tables.some((table) => isSame(name, table)),
  );
  if (missing)
    throw new MetadataError(`There is no table '${missing.schemaName}.${missing.tableName}'.`);
  return (child, parent) => !of || isSame(child, of) || isSame(parent, of);
}

async function readTable(
  engine: Engine,
  { schemaName, tableName, from }: QualifiedTable & { from: string },
): Promise<Table> {
  const fields = await describeFields(engine, from);
  const source = aliased(from, fields);
  const rowCount = await countRows(engine, source);
  const isExact = rowCount <= EXACT_ROWS;
  const columns: Column[] = [];
  const table: Table = { schemaName, tableName, source, rowCount, columns };
  const kinds = fields.flatMap((field) => {
    const family = field.family === 'timestamp' ? 'date' : field.family;
    return family === 'text' || family === 'integer' || family === 'date'
      ? ([{ field, family }] as const)
      : [];
  });
  for (const part of chunked(kinds, FIELDS_PER_SCAN)) {
    const asked = part.flatMap(({ field: { alias }, family }) => [
      `count(${alias})`,
      isExact ? `count(DISTINCT ${alias})` : `approx_count_distinct(${alias})`,
      ...['min', 'max'].map((name) =>
        family === 'integer' ? `CAST(${name}(${alias}) AS DOUBLE)` : 'NULL',
      ),
    ]);
    const row = await firstRow(engine, `SELECT ${asked.join(', ')} FROM ${source}`);
    for (const [at, { field, family }] of part.entries()) {
      const [present, distinct, min, max] = row
        .slice(at * 4, at * 4 + 4)
        .map((value) => (value === null ? undefined : numericValue(value)));
      let count = distinct ?? 0;
      if (!isExact && count >= EXACT_COUNT_THRESHOLD * (present ?? 0))
        count = await countRows(engine, source, `DISTINCT ${field.alias}`);
      columns.push({
        table,
        field,
        family,
        present: present ?? 0,
        distinct: count,
        range: min === undefined || max === undefined ? undefined : [min, max],
      });
    }
  }
  return table;
}

const isKey = ({ present, distinct }: Column): boolean =>
  distinct >= MIN_DISTINCT && distinct >= MIN_KEY_SHARE * present;

function simpleCandidates(childTable: Table, parentTable: Table): Candidate[] {
  return parentTable.columns.filter(isKey).flatMap((parent) =>
    childTable.columns
      .filter((child) => mayHold(child, parent))
      .map((child) => ({
        child: [child],
        parent: [parent],
        similarity: nameSimilarity(child.field.name, parentTable.tableName, parent.field.name),
      })),
  );
}

/** Returns whether, by counts and ranges, enough values of `child` may be in `parent`. */
function mayHold(child: Column, parent: Column): boolean {
  if (child.family !== parent.family || child.distinct < MIN_DISTINCT) return false;
  // An estimate may be off by a few per cent.
  if (child.distinct * MIN_CONTAINED_SHARE > parent.distinct * 1.1) return false;
  return (
    !child.range ||
    !parent.range ||
    (child.range[0] <= parent.range[1] && parent.range[0] <= child.range[1])
  );
}

/** Pairs of fields that both tables have by name, none of which is a key alone. */
function compoundCandidates(childTable: Table, parentTable: Table): Candidate[] {
  const shared = parentTable.columns.flatMap((parent) => {
    const child = childTable.columns.find(
      ({ field, family }) =>
        family === parent.family && field.name.toLowerCase() === parent.field.name.toLowerCase(),
    );
    return child && !isKey(child) && !isKey(parent) && parent.present > 0 && child.present > 0
      ? [{ child, parent }]
      : [];
  });
  return shared.flatMap((one, at) =>
    shared.slice(at + 1).map((other) => ({
      child: [one.child, other.child],
      parent: [one.parent, other.parent],
      similarity: 1,
    })),
  );
}

/** Compares the values of a candidate. Undefined if it is not a relationship. */
async function compare(
  engine: Engine,
  { child, parent, similarity }: Candidate,
): Promise<Relationship | undefined> {
  const [from, to] = [child[0]!.table, parent[0]!.table];
  const isSimple = child.length === 1;
  const [present, parentPresent, parentDistinct] = isSimple
    ? [child[0]!.present, parent[0]!.present, parent[0]!.distinct]
    : await countPairs(engine, child, parent);
  if (parentDistinct < MIN_DISTINCT || parentDistinct < MIN_KEY_SHARE * parentPresent)
    return undefined;
  const sql =
    `SELECT count(*), count(p.k0) FROM (${distinctValues(child)}) AS c ` +
    `LEFT JOIN (${distinctValues(parent)}) AS p ` +
    `ON ${child.map((_, at) => `c.k${at} = p.k${at}`).join(' AND ')}`;
  const [distinct = 0, matched = 0] = (await firstRow(engine, sql)).map(numericValue);
  if (distinct < MIN_DISTINCT) return undefined;
  const contained = matched / distinct;
  if (contained < MIN_CONTAINED_SHARE) return undefined;
  const used = matched / parentDistinct;
  const score =
    0.45 * contained + 0.15 * (parentDistinct / parentPresent) + 0.25 * similarity + 0.15 * used;
  const names = child.map(({ field }, at) => ({
    fromFieldName: field.name,
    toFieldName: parent[at]!.field.name,
  }));
  return {
    fromSchemaName: from.schemaName,
    fromTableName: from.tableName,
    toSchemaName: to.schemaName,
    toTableName: to.tableName,
    ...(isSimple
      ? { relationshipType: 'Simple', ...names[0] }
      : { relationshipType: 'Compound', fieldPairs: names }),
    fromCardinality: distinct < present ? 'Many' : used < 1 ? 'ZeroOrOne' : 'One',
    toCardinality: matched === distinct && present === from.rowCount ? 'One' : 'ZeroOrOne',
    score: Math.round(score * 1_000) / 1_000,
  };
}

/**
 * Number of child rows and of parent rows in which both fields have a value, and number of distinct
 * pairs in the parent.
 */
async function countPairs(
  engine: Engine,
  child: readonly Column[],
  parent: readonly Column[],
): Promise<[number, number, number]> {
  const present = await countRows(engine, `${child[0]!.table.source} WHERE ${allThere(child)}`);
  const [rows, pairs] = await firstRow(
    engine,
    'SELECT coalesce(sum(n), 0), count(*) ' +
      `FROM (SELECT count(*) AS n FROM ${parent[0]!.table.source} WHERE ${allThere(parent)} ` +
      `GROUP BY ${parent.map(({ field }) => field.alias).join(', ')})`,
  );
  return [present, numericValue(rows), numericValue(pairs)];
}

const allThere = (columns: readonly Column[]): string =>
  columns.map(({ field }) => `${field.alias} IS NOT NULL`).join(' AND ');
/** Text types are compared as VARCHAR, because an ENUM rejects values that it does not contain. */
function distinctValues(columns: readonly Column[]): string {
  const values = columns.map(
    ({ field: { alias }, family }, at) =>
      `${family === 'text' ? `CAST(${alias} AS VARCHAR)` : alias} AS k${at}`,
  );
  return (
    `SELECT DISTINCT ${values.join(', ')} FROM ${columns[0]!.table.source} ` +
    `WHERE ${allThere(columns)}`
  );
}
