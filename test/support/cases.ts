/** Small files of other programs, in a folder beside the repository. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './sources.ts';

const places = [process.env['TIDING_CASES'], '../shared/cases', '../../shared/cases'];

/** The folder of the files, or `''` if it is missing. `TIDING_CASES` names another one. */
export const casesFolder =
  places
    .flatMap((place) => (place ? [resolve(root, place)] : []))
    .find((place) => existsSync(join(place, 'README.md'))) ?? '';

/** Says in the title of tests that they are skipped, and why. */
export const casesTitle = (title: string): string =>
  casesFolder ? title : `${title} (skipped: the folder ../shared/cases is missing)`;
