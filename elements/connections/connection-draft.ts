/** What is typed in the form for a new connection, and the setting that it becomes. */
import type { InterpreterTemplate, NewSetting } from '@tiding/client/protocol';
import { connectionTexts } from '../text/pages/connections.ts';

const t = connectionTexts;

/** State of the form. All fields are text, as in a property. */
export interface ConnectionDraft {
  readonly kind: string;
  readonly name: string;
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly ssl: string;
  readonly readOnly: boolean;
  readonly maxRows: string;
  readonly timeoutSeconds: string;
  readonly isRestricted: boolean;
  readonly owners: readonly string[];
}

/** Templates of new settings, by group. */
export type Templates = Readonly<Record<string, InterpreterTemplate>>;

const defaultOf = (template: InterpreterTemplate | undefined, property: string): string =>
  String(template?.properties?.[property]?.defaultValue ?? '');

/** Kinds of databases that the server has. */
export const kindsOf = (templates: Templates): readonly string[] =>
  Object.keys(t.kinds).filter((kind) => Object.hasOwn(templates, kind));

/** Returns an empty form for a kind. */
export const newConnectionDraft = (kind: string, templates: Templates): ConnectionDraft => ({
  kind,
  name: '',
  host: '',
  port: defaultOf(templates[kind], 'port'),
  database: '',
  user: '',
  password: '',
  ssl: 'prefer',
  readOnly: true,
  maxRows: defaultOf(templates[kind], 'maxRows'),
  timeoutSeconds: '',
  isRestricted: false,
  owners: [],
});

/** Returns the form for another kind. A port that was not changed follows it. */
export const withKind = (
  draft: ConnectionDraft,
  kind: string,
  templates: Templates,
): ConnectionDraft => ({
  ...draft,
  kind,
  port:
    draft.port === defaultOf(templates[draft.kind], 'port')
      ? defaultOf(templates[kind], 'port')
      : draft.port,
});

/** Says what is missing; undefined: nothing. */
export function draftProblem({ host, isRestricted, name, owners }: ConnectionDraft) {
  if (name.trim() === '' || host.trim() === '') return t.noName;
  if (!/^[-\w]{1,64}$/.test(name.trim())) return t.badName;
  return isRestricted && owners.length === 0 ? t.noOwners : undefined;
}

/** Returns the properties of the setting. */
export const propertiesOf = (draft: ConnectionDraft): Record<string, string> => ({
  host: draft.host.trim(),
  port: draft.port.trim(),
  database: draft.database.trim(),
  user: draft.user.trim(),
  password: draft.password,
  ssl: draft.ssl,
  readOnly: String(draft.readOnly),
  maxRows: draft.maxRows.trim(),
  timeoutSeconds: draft.timeoutSeconds.trim(),
});

/** Returns the setting. Its sessions are shared as the template says. */
export const settingOf = (draft: ConnectionDraft, templates: Templates): NewSetting => ({
  name: draft.name.trim(),
  group: draft.kind,
  properties: propertiesOf(draft),
  option: {
    ...templates[draft.kind]?.option,
    setPermission: draft.isRestricted,
    owners: draft.isRestricted ? [...draft.owners] : [],
  },
});
