/** What the form of an interpreter setting holds, and what of it goes to the server. */
import type { InterpreterSetting, InterpreterTemplate, NewSetting } from 'tiding/protocol';
import { cleanRunOption, type RunOption } from 'tiding/model';
import { fill, text } from '../text/en.ts';

type Bag = Record<string, unknown>;
const t = text.interpreters;

/** Types a property may have where the server does not say. */
export const PROPERTY_TYPES: readonly string[] = [
  'textarea',
  'string',
  'number',
  'url',
  'password',
  'checkbox',
];

/** How a setting runs and for whom; fields that are not known here pass through. */
export interface Option extends RunOption {
  readonly isExistingProcess?: boolean;
  readonly host?: string;
  readonly port?: number;
  readonly setPermission?: boolean;
  readonly owners?: readonly string[];
  readonly [field: string]: unknown;
}

/** A property; a checkbox has a boolean, everything else a text. `rest`: fields that pass through. */
export interface PropertyRow {
  readonly name: string;
  readonly value: string | boolean;
  readonly type: string;
  readonly description?: string | undefined;
  readonly rest: Bag;
  /** Comes from the template of the chosen group, and goes with it. */
  readonly fromGroup?: boolean;
}

/** A dependency; `exclude` is the comma separated text of the field. */
export interface DependencyRow {
  readonly key: number;
  readonly artifact: string;
  readonly exclude: string;
  readonly rest: Bag;
}

/** The form of a setting, with what stands in its last rows. */
export interface Draft {
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

/** The form of a setting that does not exist yet. */
export interface NewDraft extends Draft {
  readonly name: string;
  readonly group: string;
}

/** Empty last rows. */
export const emptyRows: Pick<Draft, 'newProperty' | 'newDependency'> = {
  newProperty: { name: '', value: '', type: 'string' },
  newDependency: { artifact: '', exclude: '' },
};

const isBag = (value: unknown): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as its editor takes it: a boolean for a checkbox, else a text. */
export function editable(value: unknown, type: string): string | boolean {
  if (type === 'checkbox') return value === true || value === 'true';
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

function propertyRow(name: string, given: unknown): PropertyRow {
  // Old servers have the bare value.
  const rest = isBag(given) ? given : { value: given };
  const type = typeof rest['type'] === 'string' ? rest['type'] : 'string';
  const description = typeof rest['description'] === 'string' ? rest['description'] : undefined;
  return {
    name,
    value: editable(rest['value'], type),
    type,
    description,
    rest: isBag(given) ? given : {},
  };
}

/** The properties of a setting, in the server's order. */
export function propertiesOf(setting: InterpreterSetting): PropertyRow[] {
  return Object.entries(setting.properties ?? {}).map(([name, given]) => propertyRow(name, given));
}

/** The dependencies of a setting. */
export function dependenciesOf(setting: InterpreterSetting): DependencyRow[] {
  return (setting.dependencies ?? []).filter(isBag).map((rest, key) => ({
    key,
    artifact: String(rest['groupArtifactVersion'] ?? ''),
    exclude: Array.isArray(rest['exclusions']) ? rest['exclusions'].join(', ') : '',
    rest,
  }));
}

/** The form of a setting as it is stored. */
export function draftOf(setting: InterpreterSetting): Draft {
  return {
    option: (setting.option ?? {}) as Option,
    properties: propertiesOf(setting),
    dependencies: dependenciesOf(setting),
    ...emptyRows,
  };
}

/** An empty form: remote, one process for all (specification). */
export function newDraft(): NewDraft {
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

/** A form after a group was chosen: its properties with their defaults, then those that people have added. */
export function withGroup(
  draft: NewDraft,
  group: string,
  template: InterpreterTemplate | undefined,
): NewDraft {
  const names = Object.entries(template?.properties ?? {}).map(
    ([name, { defaultValue, type = 'string', description }]): PropertyRow => ({
      name,
      value: editable(defaultValue, type),
      type,
      description,
      rest: {},
      fromGroup: true,
    }),
  );
  const own = draft.properties.filter(
    ({ name, fromGroup }) => !fromGroup && !names.some((given) => given.name === name),
  );
  return { ...draft, group, properties: [...names, ...own] };
}

/** What is wrong with the last rows; nothing that is typed is dropped without a word. */
export function rowProblem(draft: Draft): string | undefined {
  const { newProperty, newDependency, properties } = draft;
  const name = newProperty.name.trim();
  if (name === '' && newProperty.value !== '' && newProperty.value !== false) return t.noName;
  if (properties.some((property) => property.name === name)) return fill(t.twice, { name });
  if (newDependency.artifact.trim() === '' && newDependency.exclude.trim() !== '')
    return t.noArtifact;
  return undefined;
}

/** What is wrong with the name or the group of a new setting (specification); `names`: those that are taken. */
export function nameProblem(
  { name, group }: NewDraft,
  names: readonly string[],
): string | undefined {
  const wanted = name.trim();
  if (wanted === '' || group === '') return t.incomplete;
  if (wanted.includes('.')) return t.dot;
  return names.includes(wanted) ? fill(t.exists, { name: wanted }) : undefined;
}

/** The new property among the others. */
export function withNewProperty(draft: Draft): Draft {
  const { name, value, type } = draft.newProperty;
  if (name.trim() === '') return draft;
  return {
    ...draft,
    properties: [...draft.properties, { name: name.trim(), value, type, rest: {} }],
    newProperty: emptyRows.newProperty,
  };
}

/** The new dependency among the others. */
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

/** What is sent: half-typed last rows count (specification), impersonation only where it is possible. */
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

/** What nobody has changed keeps the kind that the server gave it. */
function sent(value: string | boolean, type: string, before: unknown): unknown {
  return before !== undefined && before !== null && editable(before, type) === value
    ? before
    : value;
}

/** Characters of a number: digits, dot and minus (specification). */
export const numberText = (typed: string): string => typed.replace(/[^\d.-]/g, '');

/** Whether a form differs from what it began with. */
export const differs = (one: Draft, other: Draft): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);
