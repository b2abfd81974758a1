import type { CallOptions } from '../core/abort.ts';
import type {
  ConnectionPreview,
  ConnectionSchema,
  ConnectionTest,
  DatabaseConnectionInfo,
  JsonObject,
} from '../protocol/index.ts';
import { ClientArea } from '../session/client-area.ts';

/** Properties to test before they are saved; see {@link ConnectionsApi.test}. */
export interface UnsavedConnection {
  /** Group of the setting, such as `postgresql`. It can be omitted if the setting exists. */
  kind?: string;
  /** Properties as in a setting: values, or `{name, value, type}`, by key. */
  properties: JsonObject;
}

/** Options of {@link ConnectionsApi.schema}. */
export interface SchemaOptions extends CallOptions {
  /** Only tables whose schema, name or columns contain this text, in any case. */
  search?: string;
}

/** Options of {@link ConnectionsApi.preview}. */
export interface PreviewOptions extends CallOptions {
  /** Schema of the table. Default: the one that the database chooses. */
  schema?: string;
  /** Maximum number of rows, up to 100, which is the default. */
  limit?: number;
}

/**
 * Connections to databases: interpreter settings of a group such as `postgresql`, which paragraphs
 * use by their name, as in `%sales`. All calls use the login of the setting, or your own if it has
 * none. Tiding servers only; others reject with `unsupported`.
 *
 * @example
 * const { ok, version, message } = await client.connections.test('sales');
 * const { relations } = await client.connections.schema('sales', { search: 'order' });
 * const { columns, rows } = await client.connections.preview('sales', relations[0].name);
 */
export class ConnectionsApi extends ClientArea {
  /** Lists the connections that you may use, and whose login they use. */
  list(options: CallOptions = {}): Promise<readonly DatabaseConnectionInfo[]> {
    return this.context.call('listConnections', options);
  }

  /**
   * Connects and asks the database for its version. Resolves with `ok: false`, the reason and an
   * advice if that fails. Administrators can test properties before they save them: `unsaved`
   * replaces those of the setting, which need not exist yet; a password of eight asterisks is the
   * stored one. Rejects with status 404 for an unknown connection, 403 if you may not use it, and
   * 400 for an invalid property.
   */
  test(
    name: string,
    unsaved?: UnsavedConnection,
    options: CallOptions = {},
  ): Promise<ConnectionTest> {
    return this.context.call('testConnection', {
      ...options,
      params: { name },
      body: unsaved ?? {},
    });
  }

  /**
   * Returns the tables and views that the login may read, with their columns, by schema and name.
   * `more` means that there are too many: pass a `search`. Rejects with status 502 and the reason
   * if the database does not answer, and 409 if there is no login.
   */
  schema(name: string, options: SchemaOptions = {}): Promise<ConnectionSchema> {
    const { search, ...rest } = options;
    return this.context.call('connectionSchema', { ...rest, params: { name }, query: { search } });
  }

  /**
   * Returns the first rows of a table or view as text. Values are cut after 1,000 characters.
   * Rejects as {@link schema} does.
   */
  preview(name: string, table: string, options: PreviewOptions = {}): Promise<ConnectionPreview> {
    const { limit, schema, ...rest } = options;
    return this.context.call('connectionPreview', {
      ...rest,
      params: { name },
      query: { schema, table, limit },
    });
  }
}
