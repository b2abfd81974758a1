/** Properties of database settings. */
import { isAbsolute } from 'node:path';
import { MovedLogin } from '../../base/errors.ts';
import type { InterpreterHost, InterpreterProperty } from '../contract.ts';
import { flag, optional, property } from '../property.ts';
import { type ConnectionTarget, type DatabaseDriver, type TlsMode, tlsModes } from './driver.ts';
import { FOLDERS } from './files/file-path.ts';
import { packagesOf, packagesProblem } from './sqlalchemy/packages.ts';
import {
  isFileUrl,
  parseUrl,
  shownUrl,
  urlProblem as sqlalchemyProblem,
} from './sqlalchemy/url.ts';

/** Default maximum number of rows that are read per result. */
const DEFAULT_MAX_ROWS = 1_000_000;
const MOST_ROWS = 100_000_000;
const MOST_SECONDS = 86_400;

const isTlsMode = (text: string): text is TlsMode => (tlsModes as readonly string[]).includes(text);

/** Returns a check for a whole number in a range. */
const whole = (least: number, most: number) =>
  optional((value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`,
  );

/** Returns the properties of the settings of a kind of database. */
export function propertiesOf(driver: DatabaseDriver): readonly InterpreterProperty[] {
  return [
    ...(driver.isFile
      ? [pathProperty(driver)]
      : driver.isUrl
        ? urlProperties
        : serverProperties(driver)),
    ...limitProperties(driver),
  ];
}

const pathProperty = ({ title }: DatabaseDriver): InterpreterProperty =>
  property(
    'path',
    'string',
    `Absolute path of the ${title} on the server, in a folder of ${FOLDERS}`,
    {
      check: optional((value) =>
        isAbsolute(value) && !value.includes('\0') ? undefined : 'must be an absolute path',
      ),
    },
  );

const loginProperties: readonly InterpreterProperty[] = [
  property('user', 'string', 'User name'),
  property(
    'password',
    'password',
    'Password of that user. Empty: each user logs in with their own credentials for the ' +
      'entity with the name of this setting.',
  ),
];

const urlProperties: readonly InterpreterProperty[] = [
  property(
    'url',
    'string',
    'URL of SQLAlchemy without a password, such as postgresql+psycopg://host:5432/database. ' +
      '{user} and {password} in its parameters are replaced.',
    { check: optional(sqlalchemyProblem) },
  ),
  property(
    'packages',
    'textarea',
    'Python packages with the dialect and the driver, one per line, such as psycopg[binary]. ' +
      "Their code runs with the rights of the server's account.",
    { check: packagesProblem },
  ),
  ...loginProperties,
];

const tlsProblem = (value: string): string | undefined =>
  isTlsMode(value) ? undefined : `must be one of ${tlsModes.join(', ')}`;
const certificateProblem = (value: string): string | undefined =>
  value.includes('-----BEGIN CERTIFICATE-----')
    ? undefined
    : 'must contain certificates in PEM format';

/** Address, login and encryption. */
function serverProperties(driver: DatabaseDriver): readonly InterpreterProperty[] {
  const protocol = driver.protocols[0];
  return [
    property('host', 'string', `Host name or address of the ${driver.title} server`),
    property('port', 'number', 'Port of the server', {
      defaultValue: String(driver.defaultPort),
      check: whole(1, 65_535),
    }),
    property('database', 'string', 'Name of the database'),
    property('url', 'url', `${protocol}//user@host:port/database instead of the properties above`, {
      check: optional((value) => urlProblem(driver, value)),
    }),
    ...loginProperties,
    property(
      'ssl',
      'string',
      'Encryption. prefer: if the server supports it. disable. require. verify-full: also ' +
        'check the certificate and the host name.',
      { defaultValue: 'prefer', check: optional(tlsProblem) },
    ),
    property(
      'sslAuthorities',
      'textarea',
      'Certificates of authorities for verify-full, in PEM format. Empty: well-known.',
      { check: optional(certificateProblem) },
    ),
  ];
}

function limitProperties({
  isFile,
  isReadOnly,
  isUrl,
}: DatabaseDriver): readonly InterpreterProperty[] {
  const readOnly = isFile
    ? 'Only read the file. Statements that change it are refused.'
    : isUrl
      ? 'Only read. Holds for files of SQLite and DuckDB. In other databases it prevents ' +
        'mistakes: for protection, use a login that only has the right to read.'
      : 'Start transactions that only read, and refuse statements that leave them. Only a ' +
        'login that has no right to write is proof.';
  const isDefault = String(isFile === true);
  return [
    ...(isReadOnly
      ? []
      : [property('readOnly', 'checkbox', readOnly, { defaultValue: isDefault, check: flag })]),
    property('maxRows', 'number', 'Maximum number of rows that are read per result', {
      defaultValue: String(DEFAULT_MAX_ROWS),
      check: whole(1, MOST_ROWS),
    }),
    property(
      'timeoutSeconds',
      'number',
      'Time limit of a statement in seconds. Empty: that of the server for runs.',
      { check: whole(1, MOST_SECONDS) },
    ),
  ];
}

/** Returns why a URL is no connection URL, or undefined. */
function urlProblem({ protocols }: DatabaseDriver, value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !protocols.includes(url.protocol))
    return `must start with ${protocols.map((each) => `${each}//`).join(' or ')}`;
  if (url.password !== '') return 'must not contain a password. Use the property password';
  const other = [...url.searchParams.keys()].find((key) => key !== 'sslmode');
  if (other !== undefined) return `has an unknown parameter ${other}. Use only sslmode`;
  const mode = url.searchParams.get('sslmode');
  if (mode !== null && !isTlsMode(mode)) return `needs one of ${tlsModes.join(', ')} as sslmode`;
  if (url.hostname === '') return 'needs a host';
  return url.pathname.split('/').length > 2
    ? 'may have only the database after the host'
    : undefined;
}

/** Limits of a setting. */
export interface DatabaseLimits {
  /** Maximum number of rows per result. */
  readonly rows: number;
  /** Time limit of a statement in ms; undefined: none. */
  readonly statementMs: number | undefined;
}

export function limitsOf({ properties }: Pick<InterpreterHost, 'properties'>): DatabaseLimits {
  const seconds = Number(properties['timeoutSeconds'] || 0);
  return {
    rows: Number(properties['maxRows'] || DEFAULT_MAX_ROWS),
    statementMs: seconds > 0 ? seconds * 1_000 : undefined,
  };
}

/** A place to connect to, and whether the login is one of the user's credentials. */
export interface ChosenTarget {
  readonly target: ConnectionTarget;
  readonly isPersonal: boolean;
}

/** What of a host a login depends on. */
type LoginHost = Pick<InterpreterHost, 'properties' | 'credential' | 'settingName'>;

/**
 * Returns where a setting connects to, and as whom. Throws a one-sentence error if a property or
 * the login is missing.
 */
export function targetOf(host: LoginHost, driver: DatabaseDriver): ChosenTarget {
  const { properties, settingName } = host;
  if (driver.isFile) return { isPersonal: false, target: fileTarget(host, driver) };
  if (driver.isUrl) return urlTarget(host);
  const url = properties['url'] ? new URL(properties['url']) : undefined;
  const part = (text: string | undefined): string => decodeURIComponent(text ?? '');
  // The brackets of an IPv6 address belong to the URL.
  const address = url ? part(url.hostname).replace(/^\[(.*)\]$/, '$1') : (properties['host'] ?? '');
  if (address === '') throw incomplete(settingName, 'no host', 'host and database, or url,');
  const database = url ? part(url.pathname.slice(1)) : (properties['database'] ?? '');
  const mode = url?.searchParams.get('sslmode') ?? properties['ssl'] ?? '';
  const { isPersonal, ...login } = serverLogin(
    host,
    part(url?.username) || properties['user'] || '',
  );
  return {
    isPersonal,
    target: {
      host: address,
      port: Number((url ? url.port : properties['port']) || driver.defaultPort),
      database,
      ...login,
      tls: isTlsMode(mode) ? mode : 'prefer',
      authorities: properties['sslAuthorities'] ?? '',
      readOnly: properties['readOnly'] === 'true',
    },
  };
}

/** The error of a setting that has `problem`, and what to set instead. */
const incomplete = (setting: string, problem: string, what: string): Error =>
  new Error(
    `The setting ${setting} has ${problem}. Set ${what} on the page Interpreters, or ask an ` +
      'administrator.',
  );

const withoutServer = { host: '', port: 0, tls: 'disable', authorities: '' } as const;

function fileTarget(
  { properties, settingName }: Pick<InterpreterHost, 'properties' | 'settingName'>,
  { isReadOnly }: DatabaseDriver,
): ConnectionTarget {
  const path = properties['path'] ?? '';
  if (path === '') throw incomplete(settingName, 'no path', 'it');
  return {
    ...withoutServer,
    database: path,
    user: '',
    readOnly: isReadOnly === true || properties['readOnly'] !== 'false',
  };
}

/** Logins are optional: some databases need none, and the URL may have a user. */
function urlTarget(host: LoginHost): ChosenTarget {
  const { properties, settingName } = host;
  const given = properties['url'] ?? '';
  const parts = parseUrl(given);
  const problem = sqlalchemyProblem(given);
  if (!parts || problem !== undefined)
    throw incomplete(settingName, given === '' ? 'no url' : `a url that ${problem}`, 'it');
  const user = parts.username || properties['user'] || '';
  const { isPersonal, ...login } = isFileUrl(parts)
    ? { user: '', password: undefined, isPersonal: false }
    : loginOf(host, user, () => ({ user, password: undefined, isPersonal: false }));
  return {
    isPersonal,
    target: {
      ...withoutServer,
      database: shownUrl(given),
      ...login,
      readOnly: properties['readOnly'] === 'true',
      url: given,
      packages: packagesOf(properties['packages'] ?? ''),
    },
  };
}

interface Login {
  readonly user: string;
  readonly password: string | undefined;
  readonly isPersonal: boolean;
}

/** Returns the login of the setting or the user. `otherwise`: without a stored one. */
function loginOf(host: LoginHost, user: string, otherwise: (why: string) => Login): Login {
  const password = host.properties['password'];
  if (password) return { user, password, isPersonal: false };
  try {
    const login = host.credential(host.settingName, { isHidden: true });
    return { user: login.username, password: login.password || undefined, isPersonal: true };
  } catch (error) {
    if (error instanceof MovedLogin) throw error;
    return otherwise((error as Error).message);
  }
}

/** Returns the login for a server, which needs a user. */
function serverLogin(host: LoginHost, user: string): Login {
  const { properties, settingName } = host;
  if (properties['password'] && user === '')
    throw incomplete(settingName, 'a password but no user', 'user');
  return loginOf(host, user, (why) => {
    // Servers may trust logins without a password, for example on the same machine.
    if (user !== '') return { user, password: undefined, isPersonal: false };
    throw new Error(
      `There is no login for ${settingName}: ` +
        (why.startsWith('No such credential')
          ? `store a login for the entity ${settingName} in your credentials, or ask an ` +
            'administrator to set user and password in the setting.'
          : why),
    );
  });
}
