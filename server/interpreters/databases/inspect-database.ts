/** Tests a connection and reads its tables, in a session of its own that only reads. */
import type {
  ConnectionPreview,
  ConnectionSchema,
  ConnectionTest,
  DatabaseRelation,
} from '@tiding/client/protocol';
import { aborted } from '../../base/aborted.ts';
import type {
  DatabaseCatalogue,
  DatabaseConnection,
  DatabaseDriver,
  DatabaseProblem,
  FirstRows,
  ProblemContext,
} from './driver.ts';
import { explainConnection } from './explain-connection.ts';
import { limitedWork } from './limited-work.ts';
import { booleanText } from './result-table.ts';
import type { ColumnKind, TextRow } from './text-columns.ts';

/** Time for which clients wait, in ms, without that for a slow machine. */
const CLIENT_MS = 14_000;
/** Time limits in ms, with that of connecting. What is left to clients may be an installation. */
const TEST_MS = 8_000;
/** Time limit of an installation, in ms. It continues after the request that started it. */
const INSTALL_MS = 900_000;
const READ_MS = 12_000;
/** Maximum numbers of tables and columns of a schema. */
const MAX_TABLES = 2_000;
const MAX_COLUMNS = 40_000;
/** Maximum number of rows of a preview. */
export const MAX_PREVIEW_ROWS = 100;
/** Maximum size of a value of a preview, in characters. */
const MAX_VALUE = 1_000;

/** What a request needs: the database, and the signal that ends the request. */
export interface DatabaseAccess extends ProblemContext {
  readonly driver: DatabaseDriver;
  readonly signal: AbortSignal;
}

/** Why a database did not answer. */
export class DatabaseFailure extends Error {
  readonly problem: DatabaseProblem;

  constructor(problem: DatabaseProblem) {
    super([problem.message, ...(problem.details ?? [])].join('\n'));
    this.problem = problem;
  }
}

/** An installation that was started by a request. */
interface Installation {
  readonly done: Promise<void>;
  line: string;
}
/** Installations whose end no request has seen, by the packages. */
const installations = new Map<string, Installation>();

/** The packages of a database are being installed. */
const MAX_POWERS = 10;

class NotInstalled extends DatabaseFailure {}

/**
 * Waits for the installation of what the database needs. Rejects with {@link NotInstalled} if it
 * takes longer; it continues then, and the next request waits for it or gets its error.
 */
async function installed(
  { driver, signal, target }: DatabaseAccess,
  late: AbortSignal,
): Promise<void> {
  if (!driver.install) return;
  const key = JSON.stringify([target.packages, target.url]);
  let installation = installations.get(key);
  if (!installation) {
    const stop = AbortSignal.timeout(INSTALL_MS);
    const made: Installation = {
      line: '',
      done: driver.install(target, stop, (line) => (made.line = line)),
    };
    made.done.catch(() => undefined);
    installations.set(key, (installation = made));
  }
  const stopped = aborted(AbortSignal.any([signal, late]));
  let isSeen = true;
  try {
    isSeen = await Promise.race([installation.done.then(() => true), stopped.then(() => false)]);
  } finally {
    if (isSeen) installations.delete(key);
  }
  if (late.aborted && !isSeen)
    throw new NotInstalled({
      message: `The packages of the connection are being installed: ${installation.line}`,
      advice: 'Try again in a moment.',
    });
  signal.throwIfAborted();
}

/** Connects, does the work and ends the session. Rejects with a {@link DatabaseFailure}. */
async function withSession<Result>(
  access: DatabaseAccess,
  limitMs: number,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  const { driver, signal, ...context } = access;
  try {
    await installed(access, AbortSignal.timeout(CLIENT_MS - limitMs));
  } catch (error) {
    if (error instanceof DatabaseFailure) throw error;
    throw new DatabaseFailure(driver.explain(error, context));
  }
  const late = AbortSignal.timeout(limitMs);
  const both = AbortSignal.any([signal, late]);
  const target = { ...context.target, readOnly: true };
  let connection: DatabaseConnection | undefined;
  try {
    const session = await driver.connect(target, both);
    connection = session;
    return await limitedWork(session, { signal: both }, async () => {
      await session.prepare();
      return work(session);
    });
  } catch (error) {
    throw new DatabaseFailure(
      late.aborted ? lateProblem(context, connection, limitMs) : driver.explain(error, context),
    );
  } finally {
    void connection?.close();
  }
}

const lateProblem = (
  context: ProblemContext,
  connection: DatabaseConnection | undefined,
  limitMs: number,
): DatabaseProblem =>
  connection
    ? {
        message: `The database did not answer within ${limitMs / 1_000} s.`,
        advice: 'Try again later, or read the table in a paragraph, which may take longer.',
      }
    : context.target.host === ''
      ? {
          message: `${context.target.database} was not opened within ${limitMs / 1_000} s.`,
          advice: 'The server is busy. Try again later.',
        }
      : explainConnection(Object.assign(new Error(), { code: 'ETIMEDOUT' }), context);

/** Returns all rows of a statement that selects at most `most`. */
async function rowsOf(
  connection: DatabaseConnection,
  statement: string,
  most: number,
): Promise<readonly TextRow[]> {
  const result = await connection.execute(statement);
  // Fewer rows than asked for are the last ones.
  return result.read(most + 1);
}

/** Returns a warning if the login has rights that users of a connection should not get. */
async function powersAdvice(
  connection: DatabaseConnection,
  { driver, target }: DatabaseAccess,
): Promise<string | undefined> {
  const statement = driver.powers?.(target);
  if (statement === undefined) return undefined;
  // Databases with the same protocol may lack these tables.
  const rows = await rowsOf(connection, statement, MAX_POWERS).catch(() => []);
  return rows.length === 0
    ? undefined
    : `The login has the rights ${rows.map(([power]) => power).join(', ')}: users of the ` +
        'connection can use files or programs of the database server, also with readOnly. Use a ' +
        'login that only has the rights that they need.';
}

/** Connects and asks for the version. It never rejects because of the database. */
export async function testDatabase(access: DatabaseAccess): Promise<ConnectionTest> {
  try {
    return await withSession(access, TEST_MS, async (connection) => {
      const startedAt = performance.now();
      const { catalogue, title } = access.driver;
      const version = catalogue
        ? (await rowsOf(connection, catalogue.version, 1))[0]?.[0]
        : await connection.inspector?.version();
      const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
      const advice = await powersAdvice(connection, access);
      return { ok: true, version: version ?? title, latencyMs, ...(advice ? { advice } : {}) };
    });
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error;
    const { advice } = error.problem;
    return {
      ok: false,
      message: error.message,
      ...(advice === undefined ? {} : { advice }),
      ...(error instanceof NotInstalled ? { pending: true } : {}),
    };
  }
}

/** Reads the tables that the login may read. */
export async function readRelations(
  access: DatabaseAccess,
  search: string,
): Promise<ConnectionSchema> {
  // One more tells whether there are others.
  const limits = { tables: MAX_TABLES + 1, columns: MAX_COLUMNS + 1 };
  const term = search.trim().toLowerCase();
  const rows = await withSession(access, READ_MS, async (connection) => {
    const { catalogue } = access.driver;
    return catalogue
      ? rowsOf(connection, catalogue.relations(term, limits), MAX_COLUMNS + 1)
      : ((await connection.inspector?.relations(term, limits)) ?? []);
  });
  const all = new Map<string, DatabaseRelation>();
  for (const row of rows.slice(0, MAX_COLUMNS)) {
    const [schema, name, reference, kind, estimate, column, type, nullable] = row;
    const key = JSON.stringify([schema, name]);
    let relation = all.get(key);
    if (!relation) {
      relation = {
        schema: schema ?? '',
        name: name ?? '',
        reference: reference ?? '',
        kind: kind === 'view' ? 'view' : 'table',
        ...(estimate == null ? {} : { rows: Number(estimate) }),
        columns: [],
      };
      all.set(key, relation);
    }
    if (column != null)
      relation.columns.push({ name: column, type: type ?? '', nullable: nullable === '1' });
  }
  return {
    relations: [...all.values()].slice(0, MAX_TABLES),
    more: all.size > MAX_TABLES || rows.length > MAX_COLUMNS,
  };
}

/** Name of a type, as Arrow calls it. */
const typeName = (kind: ColumnKind): string => {
  if (typeof kind === 'string') return kind;
  const { precision, scale = 0 } = kind;
  return precision === undefined ? 'decimal' : `decimal(${precision}, ${scale})`;
};

const shownValue = (text: string | null, kind: ColumnKind): string | null => {
  if (text === null) return null;
  if (kind === 'boolean') return booleanText(text);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
};

/** Returns the statement that selects the first rows of a table. */
function firstRows({ quote }: DatabaseCatalogue, { limit, schema, table }: FirstRows): string {
  const name = schema === '' ? quote(table) : `${quote(schema)}.${quote(table)}`;
  return `SELECT * FROM ${name} LIMIT ${limit}`;
}

/** Reads the first rows of a table. */
export async function readPreview(
  access: DatabaseAccess,
  { limit, ...place }: FirstRows,
): Promise<ConnectionPreview> {
  return withSession(access, READ_MS, async (connection) => {
    const { catalogue } = access.driver;
    const asked = { ...place, limit: limit + 1 };
    const result = catalogue
      ? await connection.execute(firstRows(catalogue, asked))
      : await connection.inspector!.preview(asked);
    const columns = result.columns ?? [];
    const rows = await result.read(limit + 2);
    return {
      columns: columns.map((column) => ({ name: column.name, type: typeName(column.kind) })),
      rows: rows
        .slice(0, limit)
        .map((row) => row.map((text, index) => shownValue(text, columns[index]!.kind))),
      more: rows.length > limit,
    };
  });
}
