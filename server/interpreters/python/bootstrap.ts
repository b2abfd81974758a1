/** Python program that a kernel runs before the first paragraph; it defines `z`. */
import { tableMime } from '../kernels/kernel-output.ts';
import bootstrap from '../programs/bootstrap.py?raw';
import figures from '../programs/figures.py?raw';
import note from '../programs/note.py?raw';
import pages from '../programs/pages.py?raw';
import spare from '../programs/spare.py?raw';
import values from '../programs/values.py?raw';

/** Prefix of a prompt that is a request to the server; the rest of the prompt is JSON. */
export const requestPrefix = '\u0001tiding:';
/** Matches the stack frames of the bootstrap program in a traceback. */
export const bootstrapFrame = /\b_tiding_\w+\.<locals>/;

/**
 * Lengths of printed texts and of displays in one message, in characters. A character takes up to
 * four bytes, and the channels of a kernel drop messages above 256 MB.
 */
const lengths = { pieceLength: 8_000_000, displayLength: 50_000_000 };

/** The program's settings: JSON text in a string literal that is also valid Python. */
const settings = JSON.stringify(JSON.stringify({ requestPrefix, tableMime, ...lengths }));

/**
 * Defines `z`, shows DataFrames as tables, and makes chart libraries produce outputs that need no
 * network.
 */
export const pythonBootstrap = [
  note,
  figures,
  pages,
  values,
  bootstrap,
  `_tiding_setup(${settings})`,
  'del _tiding_setup, _tiding_note, _tiding_figures, _tiding_pages, _tiding_values',
].join('\n');

/** Prepares a kernel that has run {@link pythonBootstrap} for {@link handOverCode}. */
export const spareBootstrap: string = spare;

/**
 * Code that makes a spare kernel one of a note, once. It fails if a kernel that starts now could
 * import other packages.
 */
export function handOverCode(files: string, ipythonFolder: string): string {
  const given = JSON.stringify(JSON.stringify([files, ipythonFolder]));
  return `_tiding_hand_over(*__import__('json').loads(${given}))\ndel _tiding_hand_over`;
}
