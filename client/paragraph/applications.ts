/** Applications of Helium packages on a paragraph, and the events that change them. */
import { isJsonObject } from '../model/json-object.ts';
import type { HeliumEntry, Paragraph, Receives } from '../protocol/index.ts';
import { type Output, outputsOf } from './outputs.ts';

/** An application on a paragraph. */
export interface ParagraphApplication {
  /** Id as assigned by the server, for example `app_2ABCDEFGH-20261121-070135_35893072name`. */
  readonly id: string;
  /** The application's package. If the server sent no details, `name` is the application's id. */
  readonly pkg: HeliumEntry['pkg'];
  /** LOADING, LOADED, UNLOADING, UNLOADED or ERROR. */
  readonly status: string;
  /** Current outputs. */
  readonly outputs: readonly Output[];
}

/**
 * Upper limit for the index of an output. A larger one is an error and must not allocate a list of
 * that length.
 */
const MAX_OUTPUTS = 100;
interface Stored {
  readonly id: string;
  readonly pkg?: unknown;
  readonly status?: unknown;
  readonly output?: unknown;
}
type Message = { readonly type: string; readonly data: string };

const isStored = (value: unknown): value is Stored =>
  isJsonObject(value) && typeof value['id'] === 'string';
const messagesOf = (value: unknown): Message[] =>
  (Array.isArray(value) ? value : []).map((each: unknown) =>
    isJsonObject(each)
      ? {
          type: typeof each['type'] === 'string' ? each['type'] : 'TEXT',
          data: typeof each['data'] === 'string' ? each['data'] : '',
        }
      : { type: 'TEXT', data: '' },
  );

const none: readonly ParagraphApplication[] = [];
const read = new WeakMap<object, readonly ParagraphApplication[]>();

/**
 * Returns the applications of a paragraph, except unloaded ones. Returns the same list for the same
 * `apps` object.
 */
export function applicationsOf({ apps }: Pick<Paragraph, 'apps'>): readonly ParagraphApplication[] {
  if (!apps) return none;
  let list = read.get(apps);
  if (!list) {
    list = apps
      .filter(isStored)
      .filter(({ status }) => status !== 'UNLOADED')
      .map(({ id, pkg, status, output: printed }) => ({
        id,
        pkg:
          isJsonObject(pkg) && typeof pkg['name'] === 'string'
            ? (pkg as HeliumEntry['pkg'])
            : { type: 'APPLICATION', name: id },
        status: typeof status === 'string' ? status : 'LOADING',
        outputs: outputsOf({ code: 'SUCCESS', msg: messagesOf(printed) }),
      }));
    read.set(apps, list);
  }
  return list;
}

type Told = {
  [Op in 'APP_LOAD' | 'APP_STATUS_CHANGE' | 'APP_UPDATE_OUTPUT' | 'APP_APPEND_OUTPUT']: {
    type: Op;
    data: Receives[Op];
  };
}['APP_LOAD' | 'APP_STATUS_CHANGE' | 'APP_UPDATE_OUTPUT' | 'APP_APPEND_OUTPUT'];

/**
 * Applies an event to the applications of a paragraph. An event for an unknown application adds it.
 */
export function reduceApplication(paragraph: Paragraph, told: Told): Paragraph {
  const list = (paragraph.apps ?? []) as readonly unknown[];
  const { appId } = told.data;
  const known = list.filter(isStored).find(({ id }) => id === appId) ?? {
    id: appId,
    status: 'LOADING',
    output: [],
  };
  if (told.type === 'APP_STATUS_CHANGE' && told.data.status === 'UNLOADED')
    return { ...paragraph, apps: list.filter((each) => !isStored(each) || each.id !== appId) };
  const next = changed(known, told);
  const at = list.findIndex((each) => isStored(each) && each.id === appId);
  return {
    ...paragraph,
    apps: at < 0 ? [...list, next] : list.map((each, index) => (index === at ? next : each)),
  };
}

function changed(app: Stored, told: Told): Stored {
  // Loading it again resets its output.
  if (told.type === 'APP_LOAD')
    return { ...app, pkg: told.data.pkg, status: 'LOADING', output: [] };
  if (told.type === 'APP_STATUS_CHANGE') return { ...app, status: told.data.status };
  const { index = 0, data = '' } = told.data;
  if (!Number.isInteger(index) || index < 0 || index >= MAX_OUTPUTS) return app;
  const messages = messagesOf(app.output);
  while (messages.length <= index) messages.push({ type: 'TEXT', data: '' });
  const before = messages[index]!;
  messages[index] =
    told.type === 'APP_UPDATE_OUTPUT'
      ? { type: told.data.type ?? 'TEXT', data }
      : { type: before.type, data: before.data + data };
  return { ...app, output: messages };
}
