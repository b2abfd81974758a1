import type { Output } from '@tiding/client';

/** An output and its index in the paragraph. */
interface ShownOutput {
  readonly output: Output;
  readonly index: number;
}

/** Returns the outputs that show something, and the one with the error of a failed run. */
export function shownOutputs(
  outputs: readonly Output[],
  status: string | undefined,
): { readonly shown: readonly ShownOutput[]; readonly failed: ShownOutput | undefined } {
  const shown = outputs
    .map((output, index) => ({ output, index }))
    .filter(({ output }) => output.type !== 'NULL' && output.count > 0);
  return {
    shown,
    failed: status === 'ERROR' ? shown.findLast(({ output }) => output.type === 'TEXT') : undefined,
  };
}
