import type { ParagraphDependencies } from '../../protocol/index.ts';

/** Returns the ids of the stale paragraphs, in the order of the note. */
export const staleParagraphs = (all: readonly ParagraphDependencies[]): string[] =>
  all.flatMap(({ id, staleBecause }) => (staleBecause === undefined ? [] : [id]));

/** Returns a paragraph and those that depend on it, also through others, in order. */
export function withDependents(all: readonly ParagraphDependencies[], id: string): string[] {
  const found = new Set([id]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const each of all)
      if (each.dependsOn.some((input) => found.has(input))) found.add(each.id);
  }
  return all.map((each) => each.id).filter((each) => found.has(each));
}
