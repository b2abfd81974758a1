/**
 * Public interface of `%magpie` for the rest of the server. Files outside of this folder import
 * only this file.
 */
import type { Magpie } from './magpie.ts';

export { StatementError } from './contract.ts';
export { quotedName } from './language/reader.ts';
export { Magpie } from './magpie.ts';
export { serverPeople } from './people.ts';
export { downloadText } from './statements/files/download.ts';

/** The command language, as REST calls and interpreters use it. */
export type MagpieService = Pick<
  Magpie,
  'exports' | 'jobRun' | 'openSession' | 'profileOf' | 'runScript'
>;
