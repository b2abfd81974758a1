/** Creates the interpreter of a kind of database. */
import { completingEditor } from '../completing-editor.ts';
import type { InterpreterSpec } from '../contract.ts';
import { DatabaseInterpreter } from './database-interpreter.ts';
import type { DatabaseDriver } from './driver.ts';
import { propertiesOf } from './properties.ts';

interface DatabaseSpec extends InterpreterSpec {
  readonly isDatabase: true;
  readonly driver: DatabaseDriver;
}

/**
 * Returns the interpreter of a group of settings. Each setting is a database. A session belongs to
 * a note and a user, who may log in with their own credentials.
 */
export const databaseInterpreter = (group: string, driver: DatabaseDriver): DatabaseSpec => ({
  name: group,
  isTemplate: true,
  isDatabase: true,
  driver,
  sessions: true,
  sharing: { perNote: 'scoped', perUser: 'isolated' },
  properties: propertiesOf(driver),
  editor: completingEditor('sql'),
  create: (host) => new DatabaseInterpreter(host, driver),
});

/** Returns the driver of an interpreter if its settings are databases. */
export const driverOf = (spec: InterpreterSpec | undefined): DatabaseDriver | undefined =>
  spec?.isDatabase ? (spec as DatabaseSpec).driver : undefined;
