/** The kernel is unavailable. The message is complete: it says what to do. */
export class KernelProblem extends Error {
  override readonly name: string = 'KernelProblem';
}
