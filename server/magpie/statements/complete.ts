/**
 * Completion: keywords that the grammar allows at the cursor, and names of objects that the user
 * may see.
 */
import type { Completion } from '@tiding/client/protocol';
import {
  completeWith,
  completion,
  engineWords,
  type QuerySource,
} from '../../interpreters/sql/complete.ts';
import { quoteText } from '../../interpreters/sql/script.ts';
import type { ObjectCatalogue } from '../catalogue/catalogue.ts';
import type { ItemType } from '../catalogue/definitions.ts';
import { holderOf, type Item, isSameName } from '../catalogue/state.ts';
import type { Engines } from '../engines.ts';
import { type Expected, expectedAt } from '../language/expected.ts';
import { quotedName } from '../language/reader.ts';
import type { Ref } from '../language/statements.ts';
import type { StatementContext } from './context.ts';
import { validatorsOf } from './objects/validators.ts';

type CompletionServices = Pick<StatementContext, 'catalogue' | 'people' | 'session' | 'who'> & {
  readonly engines: Engines;
};

/** Maximum number of suggestions. */
const MAX_SUGGESTIONS = 200;

/** Returns suggestions for `cursor`: names first, then keywords. */
export async function complete(
  services: CompletionServices,
  code: string,
  cursor: number,
): Promise<Completion[]> {
  const expected = expectedAt(code, cursor);
  if (!expected) return [];
  const { typed, sql } = expected;
  if (sql !== undefined) return completeQuery(services, sql);
  const starts = (name: string) => name.toLowerCase().startsWith(typed.toLowerCase());
  const found: Completion[] = [];
  for (const wanted of expected.names) found.push(...(await namesOf(services, wanted)));
  const upper = typed !== '' && typed === typed.toUpperCase() && typed !== typed.toLowerCase();
  const words = [...new Set(expected.keywords)].map((word) => ({
    name: word,
    value: upper ? word.toUpperCase() : word,
    meta: 'keyword',
  }));
  const seen = new Set<string>();
  return [...found, ...words]
    .filter(
      ({ name, meta }) =>
        starts(name) && !seen.has(`${meta} ${name}`) && seen.add(`${meta} ${name}`),
    )
    .slice(0, MAX_SUGGESTIONS);
}

/** A suggestion for a name, quoted if necessary. */
const entry = (name: string, meta: string): Completion => ({
  name,
  value: /^[\p{L}\p{N}_]+$/u.test(name) ? name : quotedName(name),
  meta,
});

const kinds = Object.keys(holderOf) as readonly ItemType[];

/** All types that can qualify a name of this type. For a task: job and project. */
function above(kind: ItemType): readonly ItemType[] {
  return holderOf[kind]
    .filter((holder) => holder !== 'organization' && holder !== 'repository')
    .flatMap((holder) => [holder, ...above(holder)]);
}

async function namesOf(
  { catalogue, people, engines, session, who }: CompletionServices,
  { what, above: over, of }: Expected['names'][number],
): Promise<readonly Completion[]> {
  if (what === 'user')
    return (await people.all()).map(({ userName }) => ({
      name: userName,
      value: userName,
      meta: 'user',
    }));
  const wanted: readonly string[] =
    what === 'job or cluster' ? ['job', 'cluster'] : [what === 'suite' ? 'validation suite' : what];
  const part =
    of && (what === 'field' || what === 'validator')
      ? catalogue.find(
          { type: what === 'field' ? 'table' : 'validation suite', ref: of },
          session.scope,
        )
      : undefined;
  if (part) {
    if (!catalogue.may(part, who, 'Read')) return [];
    if (what === 'validator') return validatorsOf(part).map(({ name }) => entry(name, what));
    const all = await columnsOf(await engines.database(session.scope.repositoryId), catalogue, [
      part,
    ]);
    return all.map((name) => entry(name, what));
  }
  const types = kinds.filter((kind) => wanted.includes(kind));
  // Names of parts of the object named before: `alter job J remove task …`, `exec job J from task
  // …`.
  const isPart =
    over.length === 0 && of !== undefined && types.some((type) => holderOf[type].includes('job'));
  const all = isPart ? types : types.flatMap((type) => [type, ...above(type)]);
  const temporary =
    types.includes('table') && over.length === 0
      ? [...session.temporary.values()].map((name) => entry(name, 'temporary table'))
      : [];
  const isIn = (item: Item): boolean => {
    const parent = catalogue.byId(item.parentId);
    if (!parent) return item.type === 'organization' && over.length === 0;
    if (isPart) return isNamed(parent, of);
    if (over.length > 0) return isNamed(parent, over);
    const { repositoryId, schemaId, projectId } = session.scope;
    return (
      parent.id === catalogue.organization.id ||
      [repositoryId, schemaId, projectId].includes(parent.id)
    );
  };
  const isNamed = (item: Item, ref: Ref): boolean =>
    isSameName(ref.at(-1)!, item.name) &&
    catalogue.find({ type: item.type, ref }, session.scope)?.id === item.id;
  const fitting = catalogue.state.items.filter((item) => all.includes(item.type) && isIn(item));
  const rank = ({ type }: Item): number => (types.includes(type) ? 0 : 1);
  return [
    ...temporary,
    ...[...catalogue.visible(fitting, who)]
      .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'en'))
      .map((item) => entry(item.name, item.type)),
  ];
}

/** Column names of tables, as the engine has stored them. */
async function columnsOf(
  database: QuerySource,
  catalogue: ObjectCatalogue,
  tables: readonly Item[],
): Promise<readonly string[]> {
  if (tables.length === 0) return [];
  const which = tables
    .map(
      (item) =>
        `(lower(schema_name) = ${quoteText(catalogue.byId(item.parentId)!.name.toLowerCase())} ` +
        `AND lower(table_name) = ${quoteText(item.name.toLowerCase())})`,
    )
    .join(' OR ');
  const { rows } = await database.query(
    'SELECT column_name FROM duckdb_columns() WHERE database_name = current_database() ' +
      `AND (${which}) ORDER BY column_index`,
  );
  return rows.map(([name]) => String(name));
}

/**
 * Suggestions inside a query: tables that the user may read and their columns. Nothing else of the
 * engine's catalogue is offered.
 */
async function completeQuery(
  { catalogue, engines, session, who }: CompletionServices,
  sql: string,
): Promise<Completion[]> {
  const { repositoryId, schemaId } = session.scope;
  const tables = catalogue.state.items.filter(
    (item) =>
      item.type === 'table' &&
      catalogue.byId(item.parentId)?.parentId === repositoryId &&
      catalogue.may(item, who, 'Read'),
  );
  const schemas = catalogue.visible(catalogue.children(repositoryId, 'schema'), who);
  const starting = (
    names: readonly { readonly name: string; readonly meta: string }[],
    typed: string,
  ) =>
    names
      .filter(({ name }) => name.toLowerCase().startsWith(typed.toLowerCase()))
      .map(({ name, meta }) => completion(name, meta, true));
  const database = await engines.database(repositoryId);
  return completeWith(sql, sql.length, {
    ...engineWords(database),
    async columns(of, typed) {
      const named = of.flatMap((name) => {
        const all = tables.filter((item) => item.name.toLowerCase() === name);
        // If several schemas have a table of this name, prefer the current schema.
        const current = all.filter(({ parentId }) => parentId === schemaId);
        return current.length > 0 ? current : all;
      });
      return starting(
        [...new Set(await columnsOf(database, catalogue, named))].map((name) => ({
          name,
          meta: 'column',
        })),
        typed,
      );
    },
    async tables(typed, schema) {
      const holder =
        schema === undefined
          ? schemaId
          : schemas.find(({ name }) => name.toLowerCase() === schema)?.id;
      const own = tables
        .filter(({ parentId }) => parentId === holder)
        .map(({ name }) => ({ name, meta: 'table' }));
      if (schema !== undefined) return starting(own, typed);
      return starting(
        [
          ...[...session.temporary.values()].map((name) => ({ name, meta: 'temporary table' })),
          ...own,
          ...schemas.map(({ name }) => ({ name, meta: 'schema' })),
        ],
        typed,
      );
    },
  });
}
