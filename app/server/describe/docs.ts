/** What the protocol's sources say about each call, operation and object. */

/** Sentences by name. */
export interface Docs {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly sent: Readonly<Record<string, string>>;
  readonly received: Readonly<Record<string, string>>;
  /** By the name of the schema. */
  readonly objects: Readonly<Record<string, string>>;
  /** By `schema.field`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** None in the sources: comments are read when the package is built (`scripts/protocol-docs.mjs`), and stand here then. */
export const docs: Docs = { endpoints: {}, sent: {}, received: {}, objects: {}, fields: {} };
