/** Test support: a platform in a temporary folder, with its own users. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { expect } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { SERVER_LIMITS } from '../base/limits.ts';
import type { Interpreter } from '../interpreters/contract.ts';
import { magpie } from '../interpreters/magpie.ts';
import {
  type Recorded,
  type RunOptions,
  runCode,
  tableOf,
  testHost,
} from '../interpreters/test-support.ts';
import { MetadataError } from './contract.ts';
import { Magpie, type MagpieOptions } from './magpie.ts';
import type { UserAccounts } from './people.ts';

/**
 * Users in memory. `root` is an administrator, `ada` and `bo` are not. `resets` lists requested
 * password resets.
 */
function testPeople(): UserAccounts & { readonly resets: string[] } {
  const all = new Map<string, { roles: string[]; isDisabled: boolean }>([
    ['root', { roles: ['global.SuperAdmin'], isDisabled: false }],
    ['ada', { roles: [], isDisabled: false }],
    ['bo', { roles: [], isDisabled: false }],
  ]);
  const resets: string[] = [];
  const get = (userName: string) => {
    const found = all.get(userName);
    return found && { userName, ...found };
  };
  return {
    resets,
    all: async () => [...all.keys()].sort().map((name) => get(name)!),
    find: async (name) => get(name),
    isAdmin: ({ roles }) =>
      roles.some((role) => role === 'global.SuperAdmin' || role === 'magpie.OrganizationAdmin'),
    async create(name) {
      if (all.has(name)) throw new MetadataError(`There is already a user ${name}.`);
      all.set(name, { roles: [], isDisabled: false });
    },
    remove: async (name) => void all.delete(name),
    setDisabled: async (name, disabled) => void (all.get(name)!.isDisabled = disabled),
    async setRole(name, role, has) {
      const person = all.get(name)!;
      person.roles = has ? [...person.roles, role] : person.roles.filter((each) => each !== role);
    },
    resetPassword: (name) => void resets.push(name),
  };
}

/** A platform, and a way to run scripts on it. */
export interface TestPlatform {
  readonly root: string;
  readonly files: string;
  readonly people: ReturnType<typeof testPeople>;
  platform: Magpie;
  /** Runs a script as a user. Each user has one session. */
  run(code: string, as?: string, options?: RunOptions): Promise<Recorded>;
  /** Closes the platform and opens it again. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a platform. Call `close` at the end. */
export async function testPlatform(more: Partial<MagpieOptions> = {}): Promise<TestPlatform> {
  const root = temporaryFolder();
  const files = join(root, 'files');
  mkdirSync(files);
  const people = testPeople();
  const open = () =>
    Magpie.open({
      folder: join(root, 'magpie'),
      files,
      engineMegabytes: SERVER_LIMITS.maxEngineMegabytes.default,
      secrets: {
        encrypt: (text) => Buffer.from(text).toString('hex'),
        decrypt: (text) => Buffer.from(text, 'hex').toString(),
      },
      people,
      allowPrivateAddresses: true,
      log: pino({ level: 'silent' }),
      ...more,
    });
  const host = testHost();
  const interpreters = new Map<string, Interpreter>();
  const made: TestPlatform = {
    root,
    files,
    people,
    platform: await open(),
    run(code, as = 'root', options = {}) {
      let interpreter = interpreters.get(as);
      if (!interpreter)
        interpreters.set(as, (interpreter = magpie.create({ ...host, magpie: made.platform })));
      const own = interpreter;
      return runCode(
        { ...own, run: (run) => own.run({ ...run, principal: as }), close: () => own.close() },
        code,
        options,
      );
    },
    async reopen() {
      await Promise.all([...interpreters.values()].map((each) => each.close()));
      interpreters.clear();
      await made.platform.close();
      made.platform = await open();
    },
    async close() {
      await Promise.all([...interpreters.values()].map((each) => each.close()));
      await made.platform.close();
    },
  };
  return made;
}

export function widgetsOf({
  outputs,
}: Recorded): { readonly widget: string; readonly data: Record<string, unknown> }[] {
  return outputs
    .filter(({ type }) => type === 'HTML')
    .map(({ data }) => {
      const found =
        /^<tiding-widget><script type="application\/json">([^<]*)<\/script><\/tiding-widget>$/.exec(
          data,
        );
      if (!found) throw new Error(`No widget: ${data}`);
      return JSON.parse(found[1]!) as { widget: string; data: Record<string, unknown> };
    });
}

/** A platform with a CSV file of two airports. */
export async function airportsPlatform(): Promise<TestPlatform> {
  const made = await testPlatform();
  writeFileSync(
    join(made.files, 'airports.csv'),
    'iata,city,opened\nJFK,New York,1948-07-01\nORD,Chicago,1944-02-01\n',
  );
  return made;
}

/** Helpers for tests that run scripts, as `as` or as `root`. */
export function scriptSteps(on: () => TestPlatform) {
  const ok = async (code: string, as?: string): Promise<Recorded> => {
    const recorded = await on().run(code, as);
    expect(recorded.end, JSON.stringify(recorded.end)).toEqual({ code: 'SUCCESS' });
    return recorded;
  };
  const rows = async (code: string, as?: string) => tableOf(await ok(code, as)).slice(1);
  const widget = async (code: string, as?: string) => widgetsOf(await ok(code, as))[0]!;
  const textOf = ({ outputs }: Recorded): string =>
    outputs.flatMap(({ type, data }) => (type === 'TEXT' ? data : [])).join('');
  /** Runs a script that must fail and returns its error message. */
  const failure = async (code: string, as?: string): Promise<string> => {
    const { end } = await on().run(code, as);
    expect(end.code, code).toBe('ERROR');
    return end.code === 'ERROR' ? end.message : '';
  };
  return {
    ok,
    rows,
    failure,
    /** Checks that a script fails with a message that contains or matches this. */
    refuses: async (code: string, message: string | RegExp, as?: string) =>
      expect(await failure(code, as), code).toMatch(message),
    textOf,
    printed: async (code: string, as?: string) => textOf(await ok(code, as)),
    widget,
    dataOf: async (code: string, as?: string) => (await widget(code, as)).data,
    names: async (code: string, as?: string) =>
      (await rows(code, as)).map(([name]) => name).filter((name) => name !== ''),
  };
}
