/** Test support: a pool of interpreters on a folder, and runs in it. */

import { Secrets } from '../auth/secrets.ts';
import { DataFiles } from '../files/data-files.ts';
import type { InterpreterSpec, Run, RunEnd } from '../interpreters/contract.ts';
import { createLog } from '../logging/log.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import { InterpreterSettings } from '../settings/settings.ts';
import { InterpreterPool, type PoolOptions } from './pool.ts';

/** Opens a pool of these interpreters. Each user has the credential `db`. */
export async function openPool(
  data: string,
  specs: readonly InterpreterSpec[],
  options: Partial<PoolOptions> = {},
): Promise<{ pool: InterpreterPool; settings: InterpreterSettings }> {
  const secrets = await Secrets.open(data);
  const settings = await InterpreterSettings.open(data, specs, secrets);
  const pool = new InterpreterPool({
    data,
    files: new DataFiles(data),
    settings,
    secrets,
    log: createLog('silent'),
    repositories: () => [],
    rolesOf: () => [],
    credentialsOf: (name) => new Map([['db', { username: name, password: `of ${name}` }]]),
    sparkOf: () => Promise.resolve(undefined),
    shellAllowed: () => true,
    isAlone: () => false,
    maxInstances: 40,
    maxUserInstances: 10,
    maxIdleMs: 3_600_000,
    engineMegabytes: 1_024,
    spareKernel: false,
    notify: () => undefined,
    ...options,
  });
  return { pool, settings };
}

/** Starts a run of a paragraph, whose output is collected. */
export function startRun(
  pool: InterpreterPool,
  magic: string,
  { noteId, ...run }: Pick<Run, 'code' | 'noteId' | 'principal'>,
  options: { isWhole?: boolean } = {},
) {
  let text = '';
  let began = false;
  const abort = new AbortController();
  const end: Promise<RunEnd> = pool.run(
    pool.lookup.find(magic, newNote('n', [newParagraph()], noteId))!,
    {
      ...run,
      noteId,
      options: {},
      paragraphId: 'p1',
      signal: abort.signal,
      progress: () => undefined,
      output: {
        write: (piece) => void (text += piece),
        add: () => undefined,
        replace: () => undefined,
        whole: () => undefined,
        storing: () => undefined,
        clear: () => undefined,
      },
    },
    () => (began = true),
    options,
  );
  return {
    abort,
    end,
    get text() {
      return text;
    },
    get began() {
      return began;
    },
  };
}
