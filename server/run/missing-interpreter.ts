/** The error of a run whose magic names no interpreter. */
import { wordDistance } from '../base/edit-distance.ts';
import { knownMagic } from './known-magics.ts';

/** An interpreter that a user may use: its magic without `%`, and others that mean it. */
interface UsableMagic {
  readonly name: string;
  readonly others: readonly string[];
}

/** Share of letters that may differ in a name that is probably meant. */
const NEAR = 0.4;
const MAX_NEAR = 3;

/**
 * Returns a text that says which interpreters exist, which have a similar name, and what makes the
 * magic work. It starts with `Interpreter <magic> not found`.
 * @param isDefault whether the magic is the note's default and not in the paragraph
 */
export function missingInterpreter(
  magic: string,
  usable: readonly UsableMagic[],
  isDefault = false,
): string {
  const known = knownMagic(magic);
  const near = known ? [] : nearMagics(magic, usable);
  const names = listed(usable.map(({ name }) => name));
  return [
    `Interpreter ${magic} not found.`,
    isDefault ? 'This note uses it for paragraphs without a magic.' : '',
    known?.advice ?? (near.length > 0 ? `Did you mean ${near.join(' or ')}?` : ''),
    names === ''
      ? 'There is no interpreter that you may use here. Ask an administrator to add one.'
      : `You can use ${names} here. ` +
        (near.length > 0 ? '' : 'Ask an administrator to add another one.'),
  ]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Returns the magics with a similar name or beginning, the nearest first. */
function nearMagics(magic: string, usable: readonly UsableMagic[]): string[] {
  const wanted = magic.toLowerCase();
  return usable
    .flatMap(({ name, others }) => [name, ...others])
    .map((name) => ({ name, far: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ far }) => far <= NEAR)
    .sort((a, b) => a.far - b.far)
    .slice(0, MAX_NEAR)
    .map(({ name }) => `%${name}`);
}

const distanceTo = (wanted: string, name: string): number =>
  wanted.length > 1 && name.startsWith(wanted) ? 0 : wordDistance(wanted, name);

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names.map((name) => `%${name}`));
