/** Which fields of a table hold keys of another one: a guess from how far values are contained in one another, and from names. */
import { setImmediate } from 'node:timers/promises';
import { sortRelationships, type Relationship } from 'tiding/model';
import { MetadataError, type Engine } from '../contract.ts';
import { aliased, describeFields, EXACT_ROWS, inParts, numberOf, type Field } from './fields.ts';
import { nameSimilarity } from './names.ts';

/** A table. */
export interface TableName {
  readonly schemaName: string;
  readonly tableName: string;
}

/** Where to look. */
export interface RelationshipSource {
  /** `from` is SQL that stands after FROM. */
  readonly tables: readonly (TableName & { readonly from: string })[];
  /** Only between these two. */
  readonly between?: readonly [TableName, TableName];
  /** Only those that this table has with others, in either direction. */
  readonly of?: TableName;
}

/** How. */
export interface RelationshipOptions {
  /** Lower scores are left out, 0 to 1; 0 by default. */
  readonly minimumScore?: number;
  /** Pairs of fields whose values are compared at most, those with the most similar names first; 1000 by default. */
  readonly maximumCandidates?: number;
}

/** What was found. */
export interface Relationships {
  readonly relationships: readonly Relationship[];
  /** Pairs of fields that were not compared, as there were too many. Absent: none. */
  readonly candidatesLeftOut?: number;
}

/** Fewer values than this match by accident. */
const LEAST_DISTINCT = 3;
/** Share of a key's values that differ. */
const KEY = 0.98;
/** Share of values that are keys of the other table. */
const CONTAINED = 0.8;
/** Estimates of distinct values may be lower than they are. */
const MAYBE_KEY = 0.9;
const FIELDS_A_SCAN = 100;

interface Column {
  readonly table: Table;
  readonly field: Field;
  readonly family: 'text' | 'integer' | 'date';
  readonly present: number;
  readonly distinct: number;
  readonly range: readonly [number, number] | undefined;
}
interface Table extends TableName {
  readonly source: string;
  readonly rowCount: number;
  readonly columns: readonly Column[];
}
/** Fields of one table that may hold the fields of another, in the same order. */
interface Candidate {
  readonly child: readonly Column[];
  readonly parent: readonly Column[];
  readonly similarity: number;
}

/**
 * The relationships between tables, the surest first. The score is 0.45 of the share of child values that are in the parent, 0.15 of how far parent
 * values differ, 0.25 of how alike the names are, 0.15 of the share of parent values that are used: a heuristic.
 * Rejects with MetadataError for options that do not hold, ExecutionError with the engine's words, or the signal's reason.
 */
export async function discoverRelationships(
  engine: Engine,
  source: RelationshipSource,
  options: RelationshipOptions = {},
  signal?: AbortSignal,
): Promise<Relationships> {
  const { minimumScore = 0, maximumCandidates = 1_000 } = options;
  if (!(minimumScore >= 0 && minimumScore <= 1))
    throw new MetadataError('minimumScore is a number from 0 to 1.');
  if (!(Number.isSafeInteger(maximumCandidates) && maximumCandidates > 0))
    throw new MetadataError('maximumCandidates is a whole number, at least 1.');
  const wanted = wantedOf(source);
  const tables: Table[] = [];
  for (const table of source.tables) {
    if (source.between && !source.between.some((name) => isSame(name, table))) continue;
    tables.push(await readTable(engine, table, signal));
  }
  const pairs = tables.flatMap((child) =>
    tables
      .filter((parent) => parent !== child && wanted(child, parent))
      .map((parent) => ({ child, parent })),
  );
  const { candidates, leftOut } = await bestCandidates(pairs, maximumCandidates, signal);
  const found = new Map<string, Relationship>();
  for (const candidate of candidates) {
    const relationship = await compare(engine, candidate, signal);
    if (!relationship || relationship.score < minimumScore) continue;
    // Of two keys that hold each other, the surer direction.
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

/** The candidates with the most similar names, and how many others there are. Of hundreds of tables there are millions: the server does other work in between. */
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

const isSame = (one: TableName, other: TableName): boolean =>
  one.schemaName === other.schemaName && one.tableName === other.tableName;

function wantedOf({
  tables,
  between,
  of,
}: RelationshipSource): (child: TableName, parent: TableName) => boolean {
  const missing = [...(between ?? []), ...(of ? [of] : [])].find(
    (name) => !tables.some((table) => isSame(name, table)),
  );
  if (missing)
    throw new MetadataError(`There is no table '${missing.schemaName}.${missing.tableName}' here.`);
  return (child, parent) => !of || isSame(child, of) || isSame(parent, of);
}

async function readTable(
  engine: Engine,
  { schemaName, tableName, from }: TableName & { from: string },
  signal?: AbortSignal,
): Promise<Table> {
  const fields = await describeFields(engine, from, signal);
  const source = aliased(from, fields);
  const rowCount = numberOf(
    (await engine.query(`SELECT count(*) FROM ${source}`, signal)).rows[0]?.[0],
  );
  const isExact = rowCount <= EXACT_ROWS;
  const columns: Column[] = [];
  const table: Table = { schemaName, tableName, source, rowCount, columns };
  const kinds = fields.flatMap((field) => {
    const family = field.family === 'timestamp' ? 'date' : field.family;
    return family === 'text' || family === 'integer' || family === 'date'
      ? ([{ field, family }] as const)
      : [];
  });
  for (const part of inParts(kinds, FIELDS_A_SCAN)) {
    const asked = part.flatMap(({ field: { alias }, family }) => [
      `count(${alias})`,
      isExact ? `count(DISTINCT ${alias})` : `approx_count_distinct(${alias})`,
      ...['min', 'max'].map((name) =>
        family === 'integer' ? `CAST(${name}(${alias}) AS DOUBLE)` : 'NULL',
      ),
    ]);
    const row =
      (await engine.query(`SELECT ${asked.join(', ')} FROM ${source}`, signal)).rows[0] ?? [];
    for (const [at, { field, family }] of part.entries()) {
      const [present, distinct, min, max] = row
        .slice(at * 4, at * 4 + 4)
        .map((value) => (value === null ? undefined : numberOf(value)));
      let count = distinct ?? 0;
      if (!isExact && count >= MAYBE_KEY * (present ?? 0))
        count = numberOf(
          (await engine.query(`SELECT count(DISTINCT ${field.alias}) FROM ${source}`, signal))
            .rows[0]?.[0],
        );
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
  distinct >= LEAST_DISTINCT && distinct >= KEY * present;

function simpleCandidates(childTable: Table, parentTable: Table): Candidate[] {
  return parentTable.columns
    .filter(isKey)
    .flatMap((parent) =>
      childTable.columns
        .filter((child) => mayHold(child, parent))
        .map((child) => ({
          child: [child],
          parent: [parent],
          similarity: nameSimilarity(child.field.name, parentTable.tableName, parent.field.name),
        })),
    );
}

/** Whether counts and ranges leave it possible that enough values of `child` are in `parent`. */
function mayHold(child: Column, parent: Column): boolean {
  if (child.family !== parent.family || child.distinct < LEAST_DISTINCT) return false;
  // An estimate is some hundredths off.
  if (child.distinct * CONTAINED > parent.distinct * 1.1) return false;
  return (
    !child.range ||
    !parent.range ||
    (child.range[0] <= parent.range[1] && parent.range[0] <= child.range[1])
  );
}

/** Pairs of fields that both tables have by name, where none of them is a key of its own. */
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
    shared
      .slice(at + 1)
      .map((other) => ({
        child: [one.child, other.child],
        parent: [one.parent, other.parent],
        similarity: 1,
      })),
  );
}

/** Compares values; `undefined` where they do not hold each other. */
async function compare(
  engine: Engine,
  { child, parent, similarity }: Candidate,
  signal?: AbortSignal,
): Promise<Relationship | undefined> {
  const [from, to] = [child[0]!.table, parent[0]!.table];
  const isSimple = child.length === 1;
  const [present, parentPresent, parentDistinct] = isSimple
    ? [child[0]!.present, parent[0]!.present, parent[0]!.distinct]
    : await countPairs(engine, child, parent, signal);
  if (parentDistinct < LEAST_DISTINCT || parentDistinct < KEY * parentPresent) return undefined;
  const sql = `SELECT count(*), count(p.k0) FROM (${distinctValues(child)}) AS c LEFT JOIN (${distinctValues(parent)}) AS p ON ${child.map((_, at) => `c.k${at} = p.k${at}`).join(' AND ')}`;
  const [distinct = 0, matched = 0] = ((await engine.query(sql, signal)).rows[0] ?? []).map(
    numberOf,
  );
  if (distinct < LEAST_DISTINCT) return undefined;
  const contained = matched / distinct;
  if (contained < CONTAINED) return undefined;
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

/** Rows of the child and of the parent where both fields are there, and different pairs of the parent. */
async function countPairs(
  engine: Engine,
  child: readonly Column[],
  parent: readonly Column[],
  signal?: AbortSignal,
): Promise<[number, number, number]> {
  const one = (
    await engine.query(
      `SELECT count(*) FROM ${child[0]!.table.source} WHERE ${allThere(child)}`,
      signal,
    )
  ).rows[0];
  const other = (
    await engine.query(
      `SELECT coalesce(sum(n), 0), count(*) FROM (SELECT count(*) AS n FROM ${parent[0]!.table.source} WHERE ${allThere(parent)} GROUP BY ${parent.map(({ field }) => field.alias).join(', ')})`,
      signal,
    )
  ).rows[0];
  return [numberOf(one?.[0]), numberOf(other?.[0]), numberOf(other?.[1])];
}

const allThere = (columns: readonly Column[]): string =>
  columns.map(({ field }) => `${field.alias} IS NOT NULL`).join(' AND ');
/** Texts of any type compare as texts; an ENUM would refuse those that it does not have. */
const distinctValues = (columns: readonly Column[]): string =>
  `SELECT DISTINCT ${columns.map(({ field: { alias }, family }, at) => `${family === 'text' ? `CAST(${alias} AS VARCHAR)` : alias} AS k${at}`).join(', ')} FROM ${columns[0]!.table.source} WHERE ${allThere(columns)}`;
