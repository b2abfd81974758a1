/** Interpreters of databases for tests. */
import { expect } from 'vitest';
import type { Interpreter, InterpreterSpec, Run } from '../../server/interpreters/contract.ts';
import { type Recorded, runCode, testHost } from '../../server/interpreters/test-support.ts';
import { startProxy } from './server-folder.ts';

export function databases(spec: InterpreterSpec, common: () => Record<string, string>) {
  const open: Interpreter[] = [];
  return {
    interpreter(
      properties: Record<string, string> = {},
      more: Parameters<typeof testHost>[0] = {},
    ): Interpreter {
      const defaults = (spec.properties ?? []).map(
        ({ name, defaultValue }) => [name, defaultValue] as const,
      );
      const host = testHost({
        ...more,
        properties: { ...Object.fromEntries(defaults), ...common(), ...properties },
      });
      const made = spec.create(host);
      open.push(made);
      return made;
    },
    async end(): Promise<void> {
      await Promise.all(open.splice(0).map((each) => each.close()));
    },
  };
}

export const textOf = ({ outputs }: Recorded): string => outputs.map(({ data }) => data).join('');

/** The message of a failed run. */
export const failureOf = ({ end }: Recorded): string =>
  end.code === 'ERROR' ? end.message : end.code;

/** Collects the types of the columns of a table instead of its rows. */
export const keepTypes = (types: string[]): NonNullable<Run['keep']> => ({
  limits: { rows: 10, bytes: 1e6 },
  begin: ({ fields }) => {
    types.push(...fields.map(({ type }) => String(type)));
    return { write: async () => true, end: () => undefined, length: 1, stopped: undefined };
  },
  adopt: () => {
    throw new Error('not used');
  },
});

/** Cancels a run before it starts, and others while the network to the server is down. */
export async function cancelOffline(
  interpreter: (properties: Record<string, string>) => Interpreter,
  port: number,
): Promise<void> {
  const proxy = await startProxy(port);
  const one = interpreter({ port: String(proxy.port), readOnly: 'true' });
  await runCode(one, 'select 1 as n');
  const early = runCode(one, 'select 2 as n', { signal: AbortSignal.abort() });
  expect((await early).end).toEqual({ code: 'ABORT' });
  proxy.cut();
  // One is stopped before anything was sent, the other one while it waits for an answer.
  for (const delay of [0, 100]) {
    const stop = new AbortController();
    const running = runCode(one, 'select 2 as n', { signal: stop.signal });
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    stop.abort();
    expect((await running).end).toEqual({ code: 'ABORT' });
  }
  await one.close();
  await proxy.stop();
}
