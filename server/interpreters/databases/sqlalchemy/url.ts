/** URLs of SQLAlchemy: their parts, what may not be in them, and the text that users see. */
import { isAbsolute } from 'node:path';
import { decodedPart } from '@tiding/client/model';

/** Parts of a URL, as `sqlalchemy.URL.create` takes them. */
interface UrlParts {
  /** Dialect and driver, such as `postgresql+psycopg`. */
  readonly drivername: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly database: string | null;
  readonly query: Readonly<Record<string, readonly string[]>>;
}

/**
 * SQLAlchemy's own pattern. Python gets the parts, so that both sides agree about what a URL means.
 */
const pattern = new RegExp(
  /^([\w+]+):\/\/(?:([^:/]*)(?::([^@]*))?@)?/.source +
    /(?:(?:\[([^/?]+)\]|([^/:?]+))?(?::([^/?]*))?)?(?:\/([^?]*))?(?:\?(.*))?$/.source,
);

/** Parameters that load code or replace the checks of the server. */
const forbidden = new Set(['plugin', 'local_infile', 'allow_local_infile', 'uri']);
/** Parameters whose values are secrets. */
const secret = /pass(?:word|wd|phrase)?$|pwd|secret|token|api_?key|access_?key$/i;
const PLACEHOLDER = '{password}';

const decoded = (text: string | undefined): string | null =>
  text === undefined ? null : decodedPart(text);

/** Returns the parts of a URL; undefined if it is none. */
export function parseUrl(text: string): UrlParts | undefined {
  const [, drivername, username, password, ipv6, host, port, database, query] =
    pattern.exec(text) ?? [];
  if (drivername === undefined || (port && !/^\d{1,5}$/.test(port))) return undefined;
  const values: Record<string, string[]> = Object.create(null);
  for (const [key, value] of new URLSearchParams(query ?? '')) (values[key] ??= []).push(value);
  return {
    drivername,
    username: decoded(username),
    password: decoded(password),
    host: ipv6 ?? host ?? null,
    port: port ? Number(port) : null,
    database: database || null,
    query: { ...values },
  };
}

/** Dialect without its driver, such as `postgresql`. */
export const dialectOf = ({ drivername }: Pick<UrlParts, 'drivername'>): string =>
  drivername.split('+')[0]!.toLowerCase();

/** Whether the database is a file on the server. */
export const isFileUrl = (parts: UrlParts): boolean =>
  ['sqlite', 'duckdb'].includes(dialectOf(parts));

/** Returns why a URL can't be used, or undefined. */
export function urlProblem(text: string): string | undefined {
  const parts = parseUrl(text);
  if (!parts) return 'must be a URL of SQLAlchemy, such as postgresql+psycopg://host:5432/database';
  if (parts.password) return 'must not contain a password. Use the property password';
  for (const [key, values] of Object.entries(parts.query)) {
    if (forbidden.has(key.toLowerCase())) return `must not have the parameter ${key}`;
    const isSecret =
      secret.test(key) && values.some((value) => value !== '' && !value.includes(PLACEHOLDER));
    // A text of ODBC has parameters of its own.
    const isInText = values.some((value) => /(?:^|;)\s*pwd\s*=\s*(?!\{+password)/i.test(value));
    if (isSecret || isInText)
      return (
        `must not contain a secret (${key}). Write ${PLACEHOLDER} there, and the secret in the ` +
        'property password'
      );
  }
  const { database, host } = parts;
  if (isFileUrl(parts)) {
    if (host || database === null || !isAbsolute(database))
      return `must have the absolute path of a file: ${dialectOf(parts)}:////srv/shop.db`;
    if (Object.keys(parts.query).length > 0) return 'must not have parameters for a file';
  } else if (!host && database !== null && isAbsolute(database))
    return 'names a file. Only files of SQLite and DuckDB can be opened';
  return undefined;
}

/** Returns the URL with a login. `{user}` and `{password}` in its parameters are replaced. */
export function withLogin(
  parts: UrlParts,
  { password, user }: { readonly user: string; readonly password?: string | undefined },
): UrlParts {
  const isReplaced = Object.values(parts.query).some((values) =>
    values.some((value) => value.includes(PLACEHOLDER)),
  );
  const query = Object.fromEntries(
    Object.entries(parts.query).map(([key, values]) => [
      key,
      values.map((value) =>
        value.replaceAll('{user}', () => user).replaceAll(PLACEHOLDER, () => password ?? ''),
      ),
    ]),
  );
  if (isFileUrl(parts)) return { ...parts, username: null, password: null, query };
  return {
    ...parts,
    username: user === '' ? null : user,
    password: isReplaced ? null : (password ?? null),
    query,
  };
}

/** Returns the text of a URL without its login. */
export const shownUrl = (text: string): string =>
  text.replace(/^([\w+]+:\/\/)(?:[^:/]*(?::[^@]*)?@)?/, '$1');
