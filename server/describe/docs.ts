/** Doc comments from the protocol's sources for each call, operation and object. */

/** Doc comments by name. */
export interface Docs {
  readonly endpoints: Readonly<Record<string, string>>;
  readonly sent: Readonly<Record<string, string>>;
  readonly received: Readonly<Record<string, string>>;
  /** By schema name. */
  readonly objects: Readonly<Record<string, string>>;
  /** By `schema.field`. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Empty in the source tree: `scripts/protocol-docs.mjs` reads the comments and fills this in when
 * the package is built.
 */
export const docs: Docs = { endpoints: {}, sent: {}, received: {}, objects: {}, fields: {} };
