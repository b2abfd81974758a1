/** Connections to databases: interpreter settings that are databases. */
import type { ConnectionSchema, DatabaseConnectionInfo, JsonObject } from '@tiding/client/protocol';
import { type ActingUser, administers } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import { driverOf } from '../interpreters/databases/database-spec.ts';
import type { DatabaseDriver } from '../interpreters/databases/driver.ts';
import {
  type DatabaseAccess,
  DatabaseFailure,
  MAX_PREVIEW_ROWS,
  readPreview,
  readRelations,
  testDatabase,
} from '../interpreters/databases/inspect-database.ts';
import { type ChosenTarget, targetOf } from '../interpreters/databases/properties.ts';
import { isFileUrl, parseUrl, shownUrl } from '../interpreters/databases/sqlalchemy/url.ts';
import {
  changedSetting,
  checkLogin,
  checkName,
  defaultSetting,
  type StoredSetting,
  settingValues,
} from '../settings/setting.ts';
import type { RestHandlers, ServerContext } from './context.ts';
import { userLimit } from './user-limit.ts';

/** Sessions that a user may open in a minute. */
const MAX_PER_MINUTE = 60;
const MAX_SEARCH = 200;

const countSession = userLimit(
  MAX_PER_MINUTE,
  'Too many requests to databases. Try again in a minute.',
);

const mayUse = (person: ActingUser, setting: StoredSetting, { pool }: ServerContext): boolean =>
  administers(person) || pool.lookup.mayUse(setting, person.principal);

/** Returns a connection that the user may use. */
function connectionOf(name: string, person: ActingUser, context: ServerContext) {
  const setting = context.settings.get(name);
  const driver = setting && driverOf(context.settings.spec(setting.group));
  if (!setting || !driver)
    throw new Refusal(404, `There is no connection named ${name}. Open Connections for the list.`);
  if (!mayUse(person, setting, context))
    throw new Refusal(
      403,
      `You don't have permission to use the connection ${name}. Ask an administrator for it.`,
    );
  return { setting, driver };
}

/** Returns where a setting connects to for a user. Throws an error with a sentence. */
function targetFor(
  setting: StoredSetting,
  driver: DatabaseDriver,
  person: ActingUser,
  { credentials, secrets, settings }: ServerContext,
): ChosenTarget {
  const spec = settings.spec(setting.group)!;
  const properties = settingValues(setting, spec, secrets);
  const credential = (entity: string) => {
    const login = credentials.for(person.principal).get(entity);
    if (!login) throw new Error(`No such credential: ${entity}`);
    checkLogin(login, setting, spec);
    return login;
  };
  return targetOf({ settingName: setting.name, properties, credential }, driver);
}

function accessOf(
  name: string,
  { person, signal }: { readonly person: ActingUser; readonly signal: AbortSignal },
  context: ServerContext,
): DatabaseAccess {
  const { driver, setting } = connectionOf(name, person, context);
  countSession(person, context);
  try {
    const chosen = targetFor(setting, driver, person, context);
    return { ...chosen, setting: setting.name, driver, signal };
  } catch (error) {
    throw new Refusal(409, (error as Error).message);
  }
}

/** Reads the tables of a connection; `undefined` if there is none of this name. */
export async function relationsOf(
  name: string,
  request: { readonly person: ActingUser; readonly signal: AbortSignal },
  context: ServerContext,
): Promise<ConnectionSchema | undefined> {
  const setting = context.settings.get(name);
  if (!setting || !driverOf(context.settings.spec(setting.group))) return undefined;
  return readRelations(accessOf(name, request, context), '');
}

function describe(
  setting: StoredSetting,
  driver: DatabaseDriver,
  person: ActingUser,
  context: ServerContext,
): DatabaseConnectionInfo {
  const common = { name: setting.name, kind: setting.group, title: driver.title };
  try {
    const { isPersonal, target } = targetFor(setting, driver, person, context);
    const { database, host, port, readOnly, url, user } = target;
    const parts = url === undefined ? undefined : parseUrl(url);
    // A file has no login.
    const isFile = driver.isFile || (parts !== undefined && isFileUrl(parts));
    const login = isPersonal
      ? 'personal'
      : isFile || target.password !== undefined
        ? 'shared'
        : 'missing';
    return { ...common, host, port, database, user, readOnly, login };
  } catch (error) {
    const { database, host, path, port, readOnly, url } = setting.properties;
    return {
      ...common,
      host: String(host?.value ?? ''),
      port: Number(port?.value || driver.defaultPort),
      database: driver.isUrl
        ? shownUrl(String(url?.value ?? ''))
        : String((database ?? path)?.value ?? ''),
      user: '',
      readOnly: driver.isReadOnly === true || String(readOnly?.value) === 'true',
      login: driver.isFile ? 'shared' : 'missing',
      problem: (error as Error).message,
    };
  }
}

/** Returns the setting with properties that are not stored yet, checked as when it is stored. */
function unsavedSetting(
  name: string,
  given: { readonly kind?: string | undefined; readonly properties: JsonObject },
  { secrets, settings }: ServerContext,
): { setting: StoredSetting; driver: DatabaseDriver } {
  const stored = settings.get(name);
  if (!stored) checkName(name);
  const kind = stored?.group ?? given.kind ?? '';
  const spec = settings.spec(kind);
  const driver = driverOf(spec);
  if (!spec || !driver) {
    const kinds = settings.specs.flatMap((each) => (driverOf(each) ? [each.name] : []));
    throw new Refusal(400, `kind must be one of ${kinds.join(', ')}, not '${kind.slice(0, 100)}'.`);
  }
  const before = stored ?? defaultSetting(spec, name);
  const { properties } = given;
  return { setting: changedSetting(before, { properties }, spec, secrets), driver };
}

/** Replaces a failure of the database by a refusal. */
async function answered<Answer>(work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error;
    const { advice } = error.problem;
    throw new Refusal(502, advice ? `${error.message}\n${advice}` : error.message);
  }
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit') ?? String(MAX_PREVIEW_ROWS);
  const limit = Number(text);
  if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > MAX_PREVIEW_ROWS)
    throw new Refusal(400, `limit must be a whole number from 1 to ${MAX_PREVIEW_ROWS}.`);
  return limit;
}

export const connectionsRest = {
  listConnections: ({ person }, context) =>
    context.settings.all().flatMap((setting) => {
      const driver = driverOf(context.settings.spec(setting.group));
      return driver && mayUse(person, setting, context)
        ? [describe(setting, driver, person, context)]
        : [];
    }),
  testConnection: async ({ params, body, person, signal }, context) => {
    const name = params['name'] ?? '';
    const { kind, properties } = body;
    if (properties && !administers(person))
      throw new Refusal(403, 'Only an administrator can test properties that are not saved.');
    const { driver, setting } = properties
      ? unsavedSetting(name, { kind, properties }, context)
      : connectionOf(name, person, context);
    countSession(person, context);
    let chosen: ChosenTarget;
    try {
      chosen = targetFor(setting, driver, person, context);
    } catch (error) {
      return { ok: false, message: (error as Error).message };
    }
    if (properties)
      context.log.info(
        { event: 'connection-tested', connection: name, principal: person.principal },
        'connection tested before it was saved',
      );
    return testDatabase({ ...chosen, setting: setting.name, driver, signal });
  },
  connectionSchema: ({ params, query, ...request }, context) => {
    const search = query.get('search') ?? '';
    if (search.length > MAX_SEARCH)
      throw new Refusal(400, `search may have at most ${MAX_SEARCH} characters.`);
    return answered(readRelations(accessOf(params['name'] ?? '', request, context), search));
  },
  connectionPreview: ({ params, query, ...request }, context) => {
    const table = query.get('table') ?? '';
    if (table === '') throw new Refusal(400, 'table is missing: name the table to preview.');
    const options = { schema: query.get('schema') ?? '', table, limit: limitOf(query) };
    return answered(readPreview(accessOf(params['name'] ?? '', request, context), options));
  },
} satisfies Partial<RestHandlers>;
