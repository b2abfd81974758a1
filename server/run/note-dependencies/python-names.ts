/** The names in texts of Python, found by Python's own parser. */
import { pipeThrough } from '../../interpreters/processes/pipe-through.ts';
import program from '../../interpreters/programs/names.py?raw';
import { basePython } from '../../interpreters/python/environment.ts';
import { maskForCheck } from '../../interpreters/python/ruff/source.ts';

/** Names that a text of Python writes and reads. */
export interface PythonNames {
  /** Variables. */
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  /** Tables of `z.put`, and of `z.table` and `z.get`. */
  readonly puts: readonly string[];
  readonly gets: readonly string[];
  /** Texts of `z.sql`. */
  readonly queries: readonly string[];
}

/** Returns the names of each text; null if it can't be parsed. Runs none of them. */
export async function pythonNames(texts: readonly string[]): Promise<(PythonNames | null)[]> {
  if (texts.length === 0) return [];
  // Magics and shell commands are not Python. Cells of other languages have no names.
  const input = JSON.stringify(texts.map((text) => maskForCheck(text) ?? ''));
  // -I and -S: no code of users or packages runs at the start.
  return JSON.parse(await pipeThrough(basePython(), ['-I', '-S', '-c', program], input));
}
