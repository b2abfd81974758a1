/** Names in the SQL of database files, whose case does not matter. */
import { quoteName } from '../../sql/script.ts';
import { nameReader, type ReadNames } from '../shared-driver.ts';

/** Returns a function that reads names, quoted where they need it. */
export const fileNames = (read: ReadNames) =>
  nameReader(read, (name) => (/^[a-z_]\w*$/i.test(name) ? name : quoteName(name)));

/** Returns an expression for the quoted value of a column of names. */
export const quotedColumn = (column: string): string =>
  `'"' || replace(${column}, '"', '""') || '"'`;
