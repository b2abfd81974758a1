/** Resolves to the error of a call, or to `undefined` if the call succeeds. */
export const failure = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
