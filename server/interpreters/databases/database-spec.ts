/** Creates the interpreter of a kind of database. */
import type { InterpreterSpec } from '../contract.ts';
import { DatabaseInterpreter } from './database-interpreter.ts';
import type { DatabaseDriver } from './driver.ts';
import { propertiesOf } from './properties.ts';

/**
 * Returns the interpreter of a group of settings. Each setting is a database. A session belongs to
 * a note and a user, who may log in with their own credentials.
 */
export const databaseInterpreter = (group: string, driver: DatabaseDriver): InterpreterSpec => ({
  name: group,
  isTemplate: true,
  isDatabase: true,
  sessions: true,
  sharing: { perNote: 'scoped', perUser: 'isolated' },
  properties: propertiesOf(driver),
  editor: { language: 'sql', editOnDblClick: false, completionKey: 'TAB', completionSupport: true },
  create: (host) => new DatabaseInterpreter(host, driver),
});
