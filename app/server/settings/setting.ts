/** An interpreter setting as it is stored, and what of a request may become one. */
import { isDeepStrictEqual } from 'node:util';
import type { Bag, Dependency, InterpreterTemplate, NewSetting } from 'tiding/protocol';
import { STARS } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal } from '../errors.ts';
import { propertyTypes, type InterpreterSpec } from '../interpreters/contract.ts';

/** Who shares an instance: all; each note or user has a session in it; each has one of its own. */
export type RunMode = 'shared' | 'scoped' | 'isolated';
/** A value of a property; that of a password is encrypted. */
export interface StoredProperty {
  name: string;
  value: string | number | boolean;
  type: (typeof propertyTypes)[number];
  description?: string;
}
/** How a setting's instances are shared and who may use them. */
export interface RunOption {
  remote: true;
  port: -1;
  perNote: RunMode;
  perUser: RunMode;
  isExistingProcess: false;
  setPermission: boolean;
  owners: string[];
  isUserImpersonate: false;
}
/** A setting. `id` is its name; `group` names its spec. */
export interface StoredSetting {
  id: string;
  name: string;
  group: string;
  properties: Record<string, StoredProperty>;
  dependencies: Dependency[];
  option: RunOption;
}

const modes: readonly string[] = ['shared', 'scoped', 'isolated'] satisfies RunMode[];
const namePattern = /^[-_a-zA-Z0-9]{1,64}$/;
const MAX_PROPERTIES = 500;
const MAX_VALUE = 65_536;

/** A setting with everything at its default. */
export function defaultSetting(spec: InterpreterSpec, name = spec.name): StoredSetting {
  const mode: RunMode = spec.scoped ? 'scoped' : 'shared';
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
    option: {
      remote: true,
      port: -1,
      perNote: mode,
      perUser: mode,
      isExistingProcess: false,
      setPermission: false,
      owners: [],
      isUserImpersonate: false,
    },
  };
}

/** What a new setting of a spec starts from, as it goes over the wire. */
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
  };
}

/** The one interpreter of a spec. */
export const interpreterGroup = (spec: InterpreterSpec) => [
  { name: spec.name, class: `tiding.${spec.name}`, defaultInterpreter: true, editor: spec.editor },
];

/** Refuses (404, with upstream's words) a name that no setting can have. */
export function checkName(name: string): void {
  if (name.includes('.')) throw new Refusal(404, "'.' is invalid for InterpreterSetting name.");
  if (!namePattern.test(name))
    throw new Refusal(
      404,
      "Interpreter name shouldn't be empty, and can consist only of: -_a-zA-Z0-9",
    );
}

/** `before` with what a request changes; parts that are absent stay. Refuses (400) what cannot be. */
export function changed(
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
  given: Bag,
  before: StoredSetting['properties'],
  spec: InterpreterSpec,
  secrets: Secrets,
): Record<string, StoredProperty> {
  const entries = Object.entries(given);
  if (entries.length > MAX_PROPERTIES)
    throw new Refusal(400, `a setting has at most ${MAX_PROPERTIES} properties`);
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, propertyOf(name, entry, before[name], spec, secrets)]),
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
    throw new Refusal(400, 'a property has a name of at most 255 characters');
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
  if (value === STARS && before?.type === 'password') return before;
  const known = spec.properties?.find((property) => property.name === name);
  const kind =
    known?.type ?? propertyTypes.find((each) => each === (type ?? before?.type ?? 'string'));
  if (!kind)
    throw new Refusal(400, `${name}: the type of a property is one of ${propertyTypes.join(', ')}`);
  if (
    typeof value !== 'string' &&
    typeof value !== 'number' &&
    typeof value !== 'boolean' &&
    value !== null
  )
    throw new Refusal(400, `${name} is a text, a number or a truth value`);
  const text = String(value ?? '');
  if (text.length > MAX_VALUE)
    throw new Refusal(400, `${name} has at most ${MAX_VALUE} characters`);
  const problem =
    kind === 'number' && text.trim() !== '' && !Number.isFinite(Number(text))
      ? 'is a number'
      : known?.check?.(text.trim());
  if (problem) throw new Refusal(400, `${name} ${problem}: '${text.slice(0, 100)}' is not`);
  const words =
    known?.description ?? (typeof description === 'string' ? description : before?.description);
  return {
    name,
    value: kind === 'password' && text !== '' ? secrets.encrypt(text) : (value ?? ''),
    type: kind,
    ...(words === undefined ? {} : { description: words }),
  };
}

function dependenciesOf(given: readonly Dependency[]): Dependency[] {
  if (given.length > MAX_PROPERTIES)
    throw new Refusal(400, `a setting has at most ${MAX_PROPERTIES} dependencies`);
  return given.map(({ groupArtifactVersion, local, exclusions }) => {
    const name = groupArtifactVersion.trim();
    if (name === '' || name.length > 1_000)
      throw new Refusal(400, 'a dependency has a name of at most 1000 characters');
    return {
      groupArtifactVersion: name,
      local: local ?? false,
      ...(exclusions ? { exclusions } : {}),
    };
  });
}

function optionOf(given: Bag): RunOption {
  const mode = (name: 'perNote' | 'perUser'): RunMode => {
    const value = given[name] || 'shared';
    if (!modes.includes(value as string))
      throw new Refusal(400, `${name} is one of ${modes.join(', ')}`);
    return value as RunMode;
  };
  if (given['isExistingProcess'])
    throw new Refusal(
      400,
      'An existing process cannot be used: this server starts its interpreters itself.',
    );
  if (given['isUserImpersonate'])
    throw new Refusal(
      400,
      "Impersonation is not possible: interpreters run with the rights of the server's account.",
    );
  const owners = given['owners'] ?? [];
  if (!Array.isArray(owners) || !owners.every((owner) => typeof owner === 'string'))
    throw new Refusal(400, 'owners is a list of users and roles');
  const names = [...new Set(owners.map((owner) => owner.trim()).filter(Boolean))];
  const setPermission = given['setPermission'] === true;
  if (setPermission && names.length === 0)
    throw new Refusal(400, 'Please fill in who owns the interpreter: users or roles.');
  return {
    remote: true,
    port: -1,
    perNote: mode('perNote'),
    perUser: mode('perUser'),
    isExistingProcess: false,
    setPermission,
    owners: names,
    isUserImpersonate: false,
  };
}

/** Properties as they are shown: passwords are stars. */
export function shownProperties(properties: StoredSetting['properties']): Bag {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      property.type === 'password' && property.value !== ''
        ? { ...property, value: STARS }
        : property,
    ]),
  );
}

/** Values as an interpreter reads them: in clear, defaults filled in. */
export function valuesOf(
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

/** Whether two settings are the same in everything. */
export const isSame = (one: StoredSetting, other: StoredSetting): boolean =>
  isDeepStrictEqual(one, other);
