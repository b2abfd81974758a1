/** Interpreter settings as they are stored, and validation of changes to them. */
import type {
  Dependency,
  InterpreterTemplate,
  JsonObject,
  NewSetting,
} from '@tiding/client/protocol';
import { type DataLogin, MASKED_SECRET } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import { MovedLogin, Refusal } from '../base/errors.ts';
import {
  type InstanceSharing,
  type InterpreterSpec,
  propertyTypes,
  type SharingMode,
} from '../interpreters/contract.ts';

/** Options that a Zeppelin has and this server does not. */
const FIXED = {
  remote: true,
  port: -1,
  isExistingProcess: false,
  isUserImpersonate: false,
} as const;

/** A property's value; passwords are encrypted. */
export interface StoredProperty {
  name: string;
  value: string | number | boolean;
  type: (typeof propertyTypes)[number];
  description?: string;
}
/** How a setting's instances are shared, and who may use them. */
export type SharingOption = InstanceSharing &
  typeof FIXED & { setPermission: boolean; owners: string[] };
/** An interpreter setting. `id` is its name; `group` names its interpreter. */
export interface StoredSetting {
  id: string;
  name: string;
  group: string;
  properties: Record<string, StoredProperty>;
  dependencies: Dependency[];
  option: SharingOption;
}

const modes: readonly string[] = ['shared', 'scoped', 'isolated', ''] satisfies SharingMode[];
const namePattern = /^[-_a-zA-Z0-9]{1,64}$/;
const MAX_PROPERTIES = 500;
const MAX_VALUE = 65_536;

export function defaultSetting(spec: InterpreterSpec, name = spec.name): StoredSetting {
  return {
    id: name,
    name,
    group: spec.name,
    properties: Object.fromEntries(
      (spec.properties ?? []).map(({ name: key, defaultValue, type, description }) => [
        key,
        { name: key, value: defaultValue, type, description },
      ]),
    ),
    dependencies: [],
    option: { ...FIXED, ...sharingOf(spec), setPermission: false, owners: [] },
  };
}

/** Returns how new settings of an interpreter share their instances. */
const sharingOf = ({ sharing }: Pick<InterpreterSpec, 'sharing'>): InstanceSharing =>
  sharing ?? { perNote: 'shared', perUser: 'shared' };

/** Returns the template for new settings of an interpreter, in wire format. */
export function templateOf(spec: InterpreterSpec): InterpreterTemplate {
  return {
    id: spec.name,
    name: spec.name,
    group: spec.name,
    properties: Object.fromEntries(
      (spec.properties ?? []).map(({ name, defaultValue, description, type }) => [
        name,
        { propertyName: name, defaultValue, description, type },
      ]),
    ),
    interpreterGroup: interpreterGroup(spec),
    option: { ...defaultSetting(spec).option },
    status: 'READY',
    dependencies: [],
  };
}

/** Returns the interpreter list of a setting; it always has one entry. */
export const interpreterGroup = (spec: InterpreterSpec) => [
  {
    name: spec.name,
    class: `tiding.${spec.name}`,
    defaultInterpreter: true,
    editor: spec.editor,
    ...(spec.description === undefined ? {} : { description: spec.description }),
  },
];

/** Throws a 404 refusal with Zeppelin's message for an invalid name. */
export function checkName(name: string): void {
  if (name.includes('.')) throw new Refusal(404, "'.' is invalid for InterpreterSetting name.");
  if (!namePattern.test(name))
    throw new Refusal(
      404,
      "Interpreter name shouldn't be empty, and can consist only of: -_a-zA-Z0-9",
    );
}

/**
 * Returns `before` with the changes of a request; absent parts stay unchanged. Throws a 400 refusal
 * for invalid values.
 */
export function changedSetting(
  before: StoredSetting,
  change: Pick<NewSetting, 'option' | 'properties' | 'dependencies'>,
  spec: InterpreterSpec,
  secrets: Secrets,
): StoredSetting {
  return {
    ...before,
    ...(change.properties
      ? { properties: propertiesOf(change.properties, before.properties, spec, secrets) }
      : {}),
    ...(change.dependencies ? { dependencies: dependenciesOf(change.dependencies) } : {}),
    ...(change.option ? { option: optionOf(change.option) } : {}),
  };
}

function propertiesOf(
  given: JsonObject,
  before: StoredSetting['properties'],
  spec: InterpreterSpec,
  secrets: Secrets,
): Record<string, StoredProperty> {
  const entries = Object.entries(given);
  if (entries.length > MAX_PROPERTIES)
    throw new Refusal(400, `A setting may have at most ${MAX_PROPERTIES} properties.`);
  const next = Object.fromEntries(
    entries.map(([name, entry]) => [name, propertyOf(name, entry, before[name], spec, secrets)]),
  );
  const kept = Object.values(next).find((each) => each.type === 'password' && isKept(each, before));
  const moved = kept && movedProperty(before, next, spec);
  // Otherwise somebody who may change settings could send the secret to a host of their own.
  if (kept && moved !== undefined)
    throw new Refusal(
      400,
      `${moved} has changed: enter ${kept.name} again. A stored secret is sent only to the ` +
        'server that it was stored for.',
    );
  return next;
}

/** Whether a stored secret stays, because the request has its mask. */
const isKept = (property: StoredProperty, before: StoredSetting['properties']): boolean =>
  property.value !== '' && property === before[property.name];

/** Properties that decide where secrets are sent, how they are protected, and by which code. */
const destination =
  /url|uri|host|port|server|endpoint|address|master|driver|proxy|ssl|tls|packages/i;

/** Returns a property by whose change secrets would be sent elsewhere. */
function movedProperty(
  before: StoredSetting['properties'],
  next: StoredSetting['properties'],
  spec: InterpreterSpec,
): string | undefined {
  const [from, to] = [destinationsOf(before, spec), destinationsOf(next, spec)];
  return [...from.keys(), ...to.keys()].find((name) => from.get(name) !== to.get(name));
}

/** Returns the properties that decide where secrets are sent, except those with their defaults. */
function destinationsOf(
  properties: StoredSetting['properties'],
  spec: InterpreterSpec,
): Map<string, string> {
  const isDefault = (name: string, text: string) =>
    text === (spec.properties?.find((known) => known.name === name)?.defaultValue ?? '');
  return new Map(
    Object.values(properties)
      .filter(({ name, type }) => destination.test(name) && type !== 'password')
      .map(({ name, value }) => [name, String(value).trim()] as const)
      .filter(([name, text]) => !isDefault(name, text)),
  );
}

/** Returns a text that changes when secrets of a setting would be sent elsewhere. */
export const serverOf = ({ properties }: StoredSetting, spec: InterpreterSpec): string =>
  JSON.stringify([...destinationsOf(properties, spec)].sort());

/** Throws {@link MovedLogin} if a login of a user would be sent to another server than before. */
export function checkLogin(login: DataLogin, setting: StoredSetting, spec: InterpreterSpec): void {
  if (login.server === undefined || login.server === serverOf(setting, spec)) return;
  throw new MovedLogin(
    `The server of the connection ${setting.name} has changed since you stored your login. ` +
      'Enter its password again in your credentials to send it there.',
  );
}

function propertyOf(
  name: string,
  given: unknown,
  before: StoredProperty | undefined,
  spec: InterpreterSpec,
  secrets: Secrets,
): StoredProperty {
  if (name.trim() === '' || name.length > 255)
    throw new Refusal(400, 'The name of a property must have 1 to 255 characters.');
  // Old clients send the bare value.
  const {
    value = '',
    type,
    description,
  } = (typeof given === 'object' && given !== null ? given : { value: given }) as {
    value?: unknown;
    type?: unknown;
    description?: unknown;
  };
  if (value === MASKED_SECRET && before?.type === 'password') return before;
  const known = spec.properties?.find((property) => property.name === name);
  const kind =
    known?.type ?? propertyTypes.find((each) => each === (type ?? before?.type ?? 'string'));
  if (!kind)
    throw new Refusal(
      400,
      `${name}: the type of a property must be one of ${propertyTypes.join(', ')}.`,
    );
  if (
    typeof value !== 'string' &&
    typeof value !== 'number' &&
    typeof value !== 'boolean' &&
    value !== null
  )
    throw new Refusal(400, `${name} must be a text, a number or a boolean.`);
  const text = String(value ?? '');
  if (text.length > MAX_VALUE)
    throw new Refusal(400, `${name} may have at most ${MAX_VALUE} characters.`);
  const problem =
    kind === 'number' && text.trim() !== '' && !Number.isFinite(Number(text))
      ? 'must be a number'
      : known?.check?.(text.trim());
  if (problem)
    throw new Refusal(
      400,
      `${name} ${problem}. '${withoutSecrets(text).slice(0, 100)}' is invalid.`,
    );
  const words =
    known?.description ?? (typeof description === 'string' ? description : before?.description);
  return {
    name,
    value: kind === 'password' && text !== '' ? secrets.encrypt(text) : (value ?? ''),
    type: kind,
    ...(words === undefined ? {} : { description: words }),
  };
}

/** Replaces the password of a URL, and secrets in its parameters. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/(:\/\/[^:/@\s]*:)[^@\s]*@/, `$1${MASKED_SECRET}@`)
    .replace(/([?&#;]\w*(?:token|passw|pwd|secret|key)\w*=)[^&#;]*/gi, `$1${MASKED_SECRET}`);

function dependenciesOf(given: readonly Dependency[]): Dependency[] {
  if (given.length > MAX_PROPERTIES)
    throw new Refusal(400, `A setting may have at most ${MAX_PROPERTIES} dependencies.`);
  return given.map(({ groupArtifactVersion, local, exclusions }) => {
    const name = groupArtifactVersion.trim();
    if (name === '' || name.length > 1_000)
      throw new Refusal(400, 'The name of a dependency must have 1 to 1000 characters.');
    return {
      groupArtifactVersion: name,
      local: local ?? false,
      ...(exclusions ? { exclusions } : {}),
    };
  });
}

function optionOf(given: JsonObject): SharingOption {
  const mode = (name: 'perNote' | 'perUser'): SharingMode => {
    const value = given[name] ?? 'shared';
    if (!modes.includes(value as string))
      throw new Refusal(400, `${name} must be one of ${modes.filter(Boolean).join(', ')}.`);
    return value as SharingMode;
  };
  if (given['isExistingProcess'])
    throw new Refusal(
      400,
      'Existing processes are not supported: this server starts its interpreters itself.',
    );
  if (given['isUserImpersonate'])
    throw new Refusal(
      400,
      "Impersonation is not supported: interpreters run with the rights of the server's account.",
    );
  const owners = given['owners'] ?? [];
  if (!Array.isArray(owners) || !owners.every((owner) => typeof owner === 'string'))
    throw new Refusal(400, 'owners must be a list of users and roles.');
  const names = [...new Set(owners.map((owner) => owner.trim()).filter(Boolean))];
  const setPermission = given['setPermission'] === true;
  if (setPermission && names.length === 0)
    throw new Refusal(400, 'Enter the owners of the interpreter: users or roles.');
  const sharing = { perNote: mode('perNote'), perUser: mode('perUser') };
  return { ...FIXED, ...sharing, setPermission, owners: names };
}

/** Returns properties for display, with masked passwords. */
export function shownProperties(properties: StoredSetting['properties']): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      property.type === 'password' && property.value !== ''
        ? { ...property, value: MASKED_SECRET }
        : property.type === 'url'
          ? { ...property, value: withoutSecrets(String(property.value)) }
          : property,
    ]),
  );
}

/** Returns the values for an interpreter: decrypted, with defaults filled in. */
export function settingValues(
  { properties }: StoredSetting,
  spec: InterpreterSpec,
  secrets: Secrets,
): Record<string, string> {
  const given = Object.values(properties).map(
    ({ name, value, type }) =>
      [
        name,
        type === 'password' && value !== '' ? secrets.decrypt(String(value)) : String(value).trim(),
      ] as const,
  );
  return {
    ...Object.fromEntries(
      (spec.properties ?? []).map(({ name, defaultValue }) => [name, defaultValue]),
    ),
    ...Object.fromEntries(given),
  };
}
