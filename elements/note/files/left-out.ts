import { editorTexts } from '../../editor/texts.ts';
import { fill } from '../../text/fill.ts';
import { type LeftOutFiles, MAX_FOLDER_FILES } from './folder-files.ts';

const t = editorTexts.file;
/** Names in a message; further ones are counted. */
const MAX_NAMES = 5;

const listOf = (paths: readonly string[]): string => {
  const names = paths.slice(0, MAX_NAMES).join(', ');
  const count = paths.length - MAX_NAMES;
  return count > 0 ? fill(t.andMore, { names, count }) : names;
};

/** Shows what was left out of a dropped folder, if anything was. */
export function reportLeftOut(
  { unknown, beyond }: LeftOutFiles,
  show: (message: string) => void,
): void {
  const sentences = [
    unknown.length > 0 ? fill(t.leftOut, { names: listOf(unknown) }) : '',
    beyond.length > 0 ? fill(t.beyond, { limit: MAX_FOLDER_FILES, names: listOf(beyond) }) : '',
  ].filter(Boolean);
  if (sentences.length > 0) show(sentences.join(' '));
}
