/** State of the interpreter setting form, and the request it sends. */

import { cleanRunOption, type InterpreterRunOption, isJsonObject } from '@tiding/client/model';
import type { InterpreterSetting, InterpreterTemplate, NewSetting } from '@tiding/client/protocol';
import { fill } from '../text/fill.ts';
import { interpreterTexts as t } from './texts.ts';

type JsonObject = Record<string, unknown>;

/** Property types if the server doesn't list them. */
export const PROPERTY_TYPES: readonly string[] = [
  'textarea',
  'string',
  'number',
  'url',
  'password',
  'checkbox',
];

/** How a setting runs and for whom. Unknown fields are passed through. */
export interface Option extends InterpreterRunOption {
  readonly isExistingProcess?: boolean;
  readonly host?: string;
  readonly port?: number;
  readonly setPermission?: boolean;
  readonly owners?: readonly string[];
  readonly [field: string]: unknown;
}

/**
 * A property. A checkbox has a boolean value, all others text. `rest` holds fields that are passed
 * through.
 */
export interface PropertyRow {
  readonly name: string;
  readonly value: string | boolean;
  readonly type: string;
  readonly description?: string | undefined;
  readonly rest: JsonObject;
  /** Comes from the template of the selected group and is removed with it. */
  readonly fromGroup?: boolean;
}

/** A dependency; `exclude` is the comma-separated text of the field. */
export interface DependencyRow {
  readonly key: number;
  readonly artifact: string;
  readonly exclude: string;
  readonly rest: JsonObject;
}

/** State of a form, including its unfinished last rows. The name of a stored setting is fixed. */
export interface Draft {
  readonly name: string;
  readonly group: string;
  readonly option: Option;
  readonly properties: readonly PropertyRow[];
  readonly dependencies: readonly DependencyRow[];
  readonly newProperty: {
    readonly name: string;
    readonly value: string | boolean;
    readonly type: string;
  };
  readonly newDependency: { readonly artifact: string; readonly exclude: string };
}

/** Empty last rows. */
export const emptyRows: Pick<Draft, 'newProperty' | 'newDependency'> = {
  newProperty: { name: '', value: '', type: 'string' },
  newDependency: { artifact: '', exclude: '' },
};

/** Converts a value for its editor: a boolean for a checkbox, otherwise text. */
export function editableValue(value: unknown, type: string): string | boolean {
  if (type === 'checkbox') return value === true || value === 'true';
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

function propertyRow(name: string, given: unknown): PropertyRow {
  // Old servers send the bare value.
  const rest = isJsonObject(given) ? given : { value: given };
  const type = typeof rest['type'] === 'string' ? rest['type'] : 'string';
  const description = typeof rest['description'] === 'string' ? rest['description'] : undefined;
  return {
    name,
    value: editableValue(rest['value'], type),
    type,
    description,
    rest: isJsonObject(given) ? given : {},
  };
}

/** The properties of a setting, in the server's order. */
export function propertiesOf(setting: InterpreterSetting): PropertyRow[] {
  return Object.entries(setting.properties ?? {}).map(([name, given]) => propertyRow(name, given));
}

export function dependenciesOf(setting: InterpreterSetting): DependencyRow[] {
  return (setting.dependencies ?? []).filter(isJsonObject).map((rest, key) => ({
    key,
    artifact: String(rest['groupArtifactVersion'] ?? ''),
    exclude: Array.isArray(rest['exclusions']) ? rest['exclusions'].join(', ') : '',
    rest,
  }));
}

/** Form state for a stored setting. */
export function draftOf(setting: InterpreterSetting): Draft {
  return {
    name: setting.name,
    group: setting.group ?? '',
    option: (setting.option ?? {}) as Option,
    properties: propertiesOf(setting),
    dependencies: dependenciesOf(setting),
    ...emptyRows,
  };
}

/** Empty form: remote, with one process for all (specification). */
export function newDraft(): Draft {
  return {
    name: '',
    group: '',
    properties: [],
    dependencies: [],
    ...emptyRows,
    option: {
      remote: true,
      perNote: 'shared',
      perUser: 'shared',
      session: false,
      process: false,
      isExistingProcess: false,
      setPermission: false,
      isUserImpersonate: false,
      owners: [],
    },
  };
}

/**
 * Form state after a group was selected: its run mode, its properties with their defaults, then
 * those added by hand.
 */
export function withGroup(
  draft: Draft,
  group: string,
  template: InterpreterTemplate | undefined,
): Draft {
  const names = Object.entries(template?.properties ?? {}).map(
    ([name, { defaultValue, type = 'string', description }]): PropertyRow => ({
      name,
      value: editableValue(defaultValue, type),
      type,
      description,
      rest: {},
      fromGroup: true,
    }),
  );
  const own = draft.properties.filter(
    ({ name, fromGroup }) => !fromGroup && !names.some((given) => given.name === name),
  );
  return {
    ...draft,
    group,
    option: { ...draft.option, ...sharingOf(template) },
    properties: [...names, ...own],
  };
}

/** Run mode that a group starts with; nothing if its template has none (Zeppelin). */
function sharingOf(template: InterpreterTemplate | undefined): Partial<Option> {
  const { perNote, perUser } = (template?.option ?? {}) as Option;
  if (perNote === undefined || perUser === undefined) return {};
  const modes = [perNote, perUser];
  return {
    perNote,
    perUser,
    session: modes.includes('scoped'),
    process: modes.includes('isolated'),
  };
}

/** Problem with the last rows, so that no typed text is dropped silently. */
export function rowProblem(draft: Draft): string | undefined {
  const { newProperty, newDependency, properties } = draft;
  const name = newProperty.name.trim();
  if (name === '' && newProperty.value !== '' && newProperty.value !== false) return t.noName;
  if (properties.some((property) => property.name === name)) return fill(t.twice, { name });
  if (newDependency.artifact.trim() === '' && newDependency.exclude.trim() !== '')
    return t.noArtifact;
  return undefined;
}

/** Problem with the name or group of a new setting (specification). `names` are taken. */
export function nameProblem({ name, group }: Draft, names: readonly string[]): string | undefined {
  const wanted = name.trim();
  if (wanted === '' || group === '') return t.incomplete;
  if (wanted.includes('.')) return t.dot;
  return names.includes(wanted) ? fill(t.exists, { name: wanted }) : undefined;
}

/** Moves the new property to the list. */
export function withNewProperty(draft: Draft): Draft {
  const { name, value, type } = draft.newProperty;
  if (name.trim() === '') return draft;
  return {
    ...draft,
    properties: [...draft.properties, { name: name.trim(), value, type, rest: {} }],
    newProperty: emptyRows.newProperty,
  };
}

/** Moves the new dependency to the list. */
export function withNewDependency(draft: Draft): Draft {
  const { artifact, exclude } = draft.newDependency;
  if (artifact.trim() === '') return draft;
  const key = Math.max(-1, ...draft.dependencies.map((row) => row.key)) + 1;
  return {
    ...draft,
    dependencies: [...draft.dependencies, { key, artifact: artifact.trim(), exclude, rest: {} }],
    newDependency: emptyRows.newDependency,
  };
}

/**
 * The request body. Includes unfinished last rows (specification), and impersonation only where it
 * is possible.
 */
export function changeOf(
  draft: Draft,
  signedIn: boolean,
): Required<Pick<NewSetting, 'option' | 'properties' | 'dependencies'>> {
  const { properties, dependencies, option } = withNewDependency(withNewProperty(draft));
  return {
    option: cleanRunOption(option, signedIn),
    properties: Object.fromEntries(
      properties.map(({ name, value, type, rest }) => [
        name,
        { ...rest, name, value: sent(value, type, rest['value']), type },
      ]),
    ),
    dependencies: dependencies.map(({ artifact, exclude, rest }) => {
      const exclusions = exclude
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean);
      return {
        ...rest,
        groupArtifactVersion: artifact.trim(),
        ...(exclusions.length > 0 || 'exclusions' in rest ? { exclusions } : {}),
      };
    }),
  };
}

/** Unchanged values keep the type the server gave them. */
function sent(value: string | boolean, type: string, before: unknown): unknown {
  return before !== undefined && before !== null && editableValue(before, type) === value
    ? before
    : value;
}

/** Keeps only digits, dots and minus signs (specification). */
export const numberText = (typed: string): string => typed.replace(/[^\d.-]/g, '');

/** Whether a form has changed. */
export const isEdited = (one: Draft, other: Draft): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);
