/** Variables of running instances. */
import type { InterpreterVariables } from '@tiding/client/protocol';
import { maskValues } from '../output/masked-output.ts';
import type { RunningSlot } from './process-limits.ts';

/** Returns the variables of instances that can list them. Settings are named by their ids. */
export async function listVariables(
  running: readonly RunningSlot[],
): Promise<InterpreterVariables[]> {
  const listed = running.map(async ({ setting, slot }) => {
    const all = await slot.interpreter?.variables?.();
    if (!all) return [];
    // A password that the code has received may be the value of a variable.
    const variables = maskValues(all.variables, slot.passwords) as typeof all.variables;
    return [{ interpreter: setting, ...all, variables }];
  });
  return (await Promise.all(listed)).flat();
}
