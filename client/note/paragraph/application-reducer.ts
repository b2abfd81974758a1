/** Events that change the applications of a paragraph. */
import type { Paragraph, Receives } from '../../protocol/index.ts';
import {
  applicationMessages,
  isStoredApplication,
  type StoredApplication,
} from './applications.ts';

/**
 * Upper limit for the index of an output. A larger one is an error and must not allocate a list of
 * that length.
 */
const MAX_OUTPUTS = 100;

type ToldOp = 'APP_LOAD' | 'APP_STATUS_CHANGE' | 'APP_UPDATE_OUTPUT' | 'APP_APPEND_OUTPUT';
type Told = { [Op in ToldOp]: { type: Op; data: Receives[Op] } }[ToldOp];

/**
 * Applies an event to the applications of a paragraph. An event for an unknown application adds it.
 */
export function reduceApplication(paragraph: Paragraph, told: Told): Paragraph {
  const list = (paragraph.apps ?? []) as readonly unknown[];
  const { appId } = told.data;
  const known = list.filter(isStoredApplication).find(({ id }) => id === appId) ?? {
    id: appId,
    status: 'LOADING',
    output: [],
  };
  if (told.type === 'APP_STATUS_CHANGE' && told.data.status === 'UNLOADED')
    return {
      ...paragraph,
      apps: list.filter((each) => !isStoredApplication(each) || each.id !== appId),
    };
  const next = changed(known, told);
  const at = list.findIndex((each) => isStoredApplication(each) && each.id === appId);
  return {
    ...paragraph,
    apps: at < 0 ? [...list, next] : list.map((each, index) => (index === at ? next : each)),
  };
}

function changed(app: StoredApplication, told: Told): StoredApplication {
  // Loading it again resets its output.
  if (told.type === 'APP_LOAD')
    return { ...app, pkg: told.data.pkg, status: 'LOADING', output: [] };
  if (told.type === 'APP_STATUS_CHANGE') return { ...app, status: told.data.status };
  const { index = 0, data = '' } = told.data;
  if (!Number.isInteger(index) || index < 0 || index >= MAX_OUTPUTS) return app;
  const messages = applicationMessages(app.output);
  while (messages.length <= index) messages.push({ type: 'TEXT', data: '' });
  const before = messages[index]!;
  messages[index] =
    told.type === 'APP_UPDATE_OUTPUT'
      ? { type: told.data.type ?? 'TEXT', data }
      : { type: before.type, data: before.data + data };
  return { ...app, output: messages };
}
