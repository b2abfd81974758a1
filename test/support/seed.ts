/**
 * The seed of a randomised test. It is the same in every run, so that results are reproducible.
 * `SEED=n` sets another one, and `SEED=any` chooses one at random. Tests print their seed.
 */
export function seedOfRun(usual: number): number {
  // Some tests also run in a page, which has no `process`.
  const wanted = globalThis.process?.env['SEED'];
  if (wanted === undefined || wanted === '') return usual;
  return wanted === 'any' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
}

/** Random numbers from 0 to 1 by a seed, so that a failure can be repeated. */
export function generator(from: number): () => number {
  let state = from;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
