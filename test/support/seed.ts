/**
 * The seed of a test that draws its moves: the same in every run, so that the suite says the same of the same sources; `SEED=n` is
 * another one, `SEED=any` one that nobody has tried. A test prints it.
 */
export function seedOfRun(usual: number): number {
  const wanted = process.env['SEED'];
  if (wanted === undefined || wanted === '') return usual;
  return wanted === 'any' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
}
