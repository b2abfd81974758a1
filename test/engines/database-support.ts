/** Interpreters of databases for tests. */
import type { Interpreter, InterpreterSpec } from '../../server/interpreters/contract.ts';
import { type Recorded, type TestHost, testHost } from '../../server/interpreters/test-support.ts';

export function databases(spec: InterpreterSpec, common: () => Record<string, string>) {
  const hosts: TestHost[] = [];
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
      hosts.push(host);
      const made = spec.create(host);
      open.push(made);
      return made;
    },
    async end(): Promise<void> {
      await Promise.all(open.splice(0).map((each) => each.close()));
      for (const host of hosts.splice(0)) host.remove();
    },
  };
}

export const textOf = ({ outputs }: Recorded): string => outputs.map(({ data }) => data).join('');

/** The message of a failed run. */
export const failureOf = ({ end }: Recorded): string =>
  end.code === 'ERROR' ? end.message : end.code;
