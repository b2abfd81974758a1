/** DuckDB for `%python.sql`, which queries the data frames of the kernel. */
import type { Run } from '../contract.ts';
import { PythonProblem, pipInstall, runTool } from './run-tool.ts';

const requirement = 'duckdb>=1,<3';

/** Python code that runs a query over the frames of the kernel and shows the result. */
export const frameQuery = (query: string): string => `_tiding_sql(${JSON.stringify(query)})`;

/**
 * Installs DuckDB for a Python program if it is missing, except into an environment that belongs to
 * a user. Rejects with {@link PythonProblem}, or with the signal's reason.
 */
export async function installDuckdb(
  program: string,
  isOfUser: boolean,
  { output }: Pick<Run, 'output'>,
  options: { readonly notes: string; readonly signal: AbortSignal },
): Promise<void> {
  const tool = (...args: string[]) => runTool(program, args, options);
  try {
    return await tool('-c', 'import duckdb');
  } catch (error) {
    if (options.signal.aborted || !(error instanceof PythonProblem)) throw error;
  }
  if (isOfUser)
    throw new PythonProblem(
      `%python.sql needs the package duckdb: run ${program} -m pip install duckdb.`,
    );
  output.write('Installing duckdb for %python.sql\n');
  await tool(...pipInstall, requirement);
  output.clear();
}
