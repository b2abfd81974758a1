/** Interpreter settings, their repositories and processes. */
import type { RestHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';

const notYet = (): never => {
  throw new Refusal(501, 'not served yet');
};

/** REST calls. */
export const settingsRest = {
  createSetting: notYet,
  getSetting: notYet,
  updateSetting: notYet,
  deleteSetting: notYet,
  listTemplates: notYet,
  listPropertyTypes: notYet,
  listRepositories: notYet,
  addRepository: notYet,
  deleteRepository: notYet,
  settingMetadata: notYet,
  installInterpreter: notYet,
  listSessions: notYet,
  createSession: notYet,
  getSession: notYet,
  deleteSession: notYet,
} satisfies Partial<RestHandlers>;
