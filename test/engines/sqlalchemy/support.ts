/** Connections of SQLAlchemy for tests. Packages come from PyPI. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { driverOf } from '../../../server/interpreters/databases/database-spec.ts';
import { testDatabase } from '../../../server/interpreters/databases/inspect-database.ts';
import { targetOf } from '../../../server/interpreters/databases/properties.ts';
import { sqlalchemy } from '../../../server/interpreters/databases/sqlalchemy.ts';
import { temporaryFolder } from '../../support/until-end.ts';

/**
 * Makes a folder whose files may be opened, and a cache of its own for environments, while the
 * tests of this file run.
 */
export function sqlalchemyFolders() {
  const root = temporaryFolder();
  const databases = join(root, 'databases');
  mkdirSync(databases);
  // In hooks: a file whose tests are all skipped must leave no environment to the next one.
  beforeAll(() => {
    vi.stubEnv('TIDING_DATABASE_FOLDERS', databases);
    vi.stubEnv('XDG_CACHE_HOME', join(root, 'cache'));
    // Downloads are kept, environments are not.
    vi.stubEnv('PIP_CACHE_DIR', process.env['PIP_CACHE_DIR'] ?? join(homedir(), '.cache', 'pip'));
  });
  afterAll(() => void vi.unstubAllEnvs());
  return { root, databases };
}

/** Repeats a call while packages are being installed, or a busy machine does not answer in time. */
export async function answered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await call().catch((error: Error) => error);
    const text = answer instanceof Error ? answer.message : JSON.stringify(answer);
    if (/being installed| within \d+ s\./.test(text)) continue;
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

/** Access with the login of the properties. */
export const accessTo = (properties: Record<string, string>) => {
  const credential = (): never => {
    throw new Error('No such credential');
  };
  const driver = driverOf(sqlalchemy)!;
  const chosen = targetOf({ properties, settingName: 'shop', credential }, driver);
  return { ...chosen, setting: 'shop', driver, signal: new AbortController().signal };
};
/** Tests a connection. */
export const tested = (properties: Record<string, string>) =>
  answered(() => testDatabase(accessTo(properties)));
