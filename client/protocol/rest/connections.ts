/** Connections to databases. */
import * as z from 'zod/mini';
import { endpoint, jsonObject, maybe, open } from '../define.ts';
import { text } from './schemas.ts';

/**
 * An interpreter setting that is a database. `name` is its magic without `%`; `kind` is its group,
 * such as `postgresql`, and `title` what people call it. `login` says whose login is used:
 * `shared`, that of the setting; `personal`, the caller's own; `missing`, neither has a password.
 * `problem` says why no connection is possible. A database file has its path as `database`, a
 * connection of SQLAlchemy its URL without the login, and both have no host.
 */
export const connection = open({
  name: text,
  kind: text,
  title: text,
  host: text,
  port: z.number(),
  database: text,
  user: text,
  login: z.enum(['shared', 'personal', 'missing']),
  readOnly: z.boolean(),
  problem: maybe(text),
});
/** A connection to a database, which is an interpreter setting. */
export type DatabaseConnectionInfo = z.infer<typeof connection>;

/**
 * Result of a test. `version` and `latencyMs`, the time of a round trip, are those of a database
 * that answered; `message` says why there is no answer, and `advice` what to do next, also about a
 * login with too many rights. `pending`: what the connection needs is being installed; test it
 * again.
 */
const connectionTest = open({
  ok: z.boolean(),
  version: maybe(text),
  latencyMs: maybe(z.number()),
  message: maybe(text),
  advice: maybe(text),
  pending: maybe(z.boolean()),
});
/** Result of a test of a connection. */
export type ConnectionTest = z.infer<typeof connectionTest>;

/** A table or view. `rows` is the estimate of the database; `reference` is its name in SQL. */
const relation = open({
  schema: text,
  name: text,
  reference: text,
  kind: z.enum(['table', 'view']),
  rows: maybe(z.number()),
  columns: z.array(open({ name: text, type: text, nullable: z.boolean() })),
});
/** A table or view of a database, with its columns. */
export type DatabaseRelation = z.infer<typeof relation>;
/** Tables and views, sorted by schema and name. `more`: there are others. */
export const connectionSchema = open({ relations: z.array(relation), more: z.boolean() });
/** Tables and views of a database. */
export type ConnectionSchema = z.infer<typeof connectionSchema>;

/**
 * The first rows of a table, each value as text; `null` is a missing value. `types` are those of
 * Arrow, such as `int32`. `more`: there are further rows.
 */
export const connectionPreview = open({
  columns: z.array(open({ name: text, type: text })),
  rows: z.array(z.array(z.nullable(text))),
  more: z.boolean(),
});
/** The first rows of a table of a database. */
export type ConnectionPreview = z.infer<typeof connectionPreview>;

/** REST calls for connections to databases, for users who may use the setting. */
export const connectionEndpoints = {
  listConnections: endpoint('GET', '/magpie/connections', { answer: z.array(connection) }),
  /**
   * Connects with the caller's login. A database that can't be reached is an answer with `ok:
   * false`. With `properties`, tests them instead of the stored ones, for administrators; `kind` is
   * needed if there is no such setting yet. 404 for an unknown name.
   */
  testConnection: endpoint('POST', '/magpie/connections/:name/test', {
    body: open({ kind: maybe(text), properties: maybe(jsonObject) }),
    answer: connectionTest,
  }),
  /**
   * Returns tables and views that the login may read; with `search`, those whose schema, name or
   * columns contain it. 502 with the error of the database.
   */
  connectionSchema: endpoint('GET', '/magpie/connections/:name/schema', {
    query: open({ search: maybe(text) }),
    answer: connectionSchema,
  }),
  /** Returns the first rows of a table, at most 100. 502 with the error of the database. */
  connectionPreview: endpoint('GET', '/magpie/connections/:name/preview', {
    query: open({ schema: maybe(text), table: maybe(text), limit: z.optional(z.number()) }),
    answer: connectionPreview,
  }),
};
