/** What is typed in the form for a new connection, and the setting that it becomes. */
import { decodedPart } from '@tiding/client/model';
import type { InterpreterTemplate, NewSetting } from '@tiding/client/protocol';
import { connectionTexts as t } from './texts.ts';

/** State of the form. All fields are text, as in a property. */
export interface ConnectionDraft {
  readonly kind: string;
  readonly name: string;
  /** Path of a database file; the fields of a server are unused then. */
  readonly path: string;
  /** URL of SQLAlchemy without a password, and the packages that it needs, one per line. */
  readonly url: string;
  readonly packages: string;
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

const hasProperty = (templates: Templates, kind: string, property: string): boolean =>
  Object.hasOwn(templates[kind]?.properties ?? {}, property);

/** Whether the databases of a kind are files. */
export const isFileKind = (kind: string, templates: Templates): boolean =>
  hasProperty(templates, kind, 'path');

/** Whether a connection of this kind has a URL, and packages with its driver. */
export const isUrlKind = (kind: string, templates: Templates): boolean =>
  hasProperty(templates, kind, 'packages');

/** Whether a connection of this kind can also write. */
export const mayWrite = (kind: string, templates: Templates): boolean =>
  hasProperty(templates, kind, 'readOnly');

/** Whether it says where the database is. */
export const hasPlace = (draft: ConnectionDraft, templates: Templates): boolean => {
  const { host, kind, path, url } = draft;
  const place = isFileKind(kind, templates) ? path : isUrlKind(kind, templates) ? url : host;
  return place.trim() !== '';
};

/** Moves the login of a URL to its fields, because a URL is not a secret. */
export function withUrl(draft: ConnectionDraft, url: string): ConnectionDraft {
  const [, start = '', user = '', password = '', end = ''] =
    /^\s*([\w+]+:\/\/)([^:/]*):([^@]*)@(.*)$/s.exec(url) ?? [];
  if (password === '') return { ...draft, url };
  return { ...draft, url: start + end, user: decodedPart(user), password: decodedPart(password) };
}

/** Returns an empty form for a kind. */
export const newConnectionDraft = (kind: string, templates: Templates): ConnectionDraft => ({
  kind,
  name: '',
  path: '',
  url: '',
  packages: '',
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
export function draftProblem(draft: ConnectionDraft, templates: Templates) {
  const { isRestricted, kind, name, owners } = draft;
  if (name.trim() === '' || !hasPlace(draft, templates))
    return isFileKind(kind, templates) ? t.noPath : isUrlKind(kind, templates) ? t.noUrl : t.noName;
  if (!/^[-\w]{1,64}$/.test(name.trim())) return t.badName;
  return isRestricted && owners.length === 0 ? t.noOwners : undefined;
}

function placeOf(draft: ConnectionDraft, templates: Templates): Record<string, string> {
  const { kind } = draft;
  if (isFileKind(kind, templates)) return { path: draft.path.trim() };
  const login = { user: draft.user.trim(), password: draft.password };
  if (isUrlKind(kind, templates))
    return { url: draft.url.trim(), packages: draft.packages.trim(), ...login };
  return {
    host: draft.host.trim(),
    port: draft.port.trim(),
    database: draft.database.trim(),
    ...login,
    ssl: draft.ssl,
  };
}

export const propertiesOf = (
  draft: ConnectionDraft,
  templates: Templates,
): Record<string, string> => ({
  ...placeOf(draft, templates),
  ...(mayWrite(draft.kind, templates) ? { readOnly: String(draft.readOnly) } : {}),
  maxRows: draft.maxRows.trim(),
  timeoutSeconds: draft.timeoutSeconds.trim(),
});

/** Returns the setting. Its sessions are shared as the template says. */
export const settingOf = (draft: ConnectionDraft, templates: Templates): NewSetting => ({
  name: draft.name.trim(),
  group: draft.kind,
  properties: propertiesOf(draft, templates),
  option: {
    ...templates[draft.kind]?.option,
    setPermission: draft.isRestricted,
    owners: draft.isRestricted ? [...draft.owners] : [],
  },
});
