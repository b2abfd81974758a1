/** Runs of several paragraphs: each where its magic says, by the server or by a spell of a package in this page. */
import type { Paragraph } from 'tiding/client';
import { packagesOf } from '../../result/packages/store.ts';
import type { NoteView } from '../view.tsx';

/** Which run, and how; see `Note.run`. */
export interface Several {
  /** Ids; left out: all. They run in the order of the note. */
  readonly paragraphs?: readonly string[];
  /** All at once; a failure stops no other. */
  readonly parallel?: boolean;
}

/**
 * Runs paragraphs of a note in its order, up to the first that fails. What stands between two spells is one run of the server, which
 * knows no spells; a note without spells is one run as a whole. Rejects with what the server refuses.
 */
export async function runSeveral(
  view: NoteView,
  { paragraphs, parallel = false }: Several = {},
): Promise<void> {
  const { client, note } = view;
  const chosen =
    paragraphs === undefined
      ? note.paragraphs
      : note.paragraphs.filter(({ id }) => paragraphs.includes(id));
  const store = packagesOf(client);
  if (!store.state.get().asked && chosen.some(({ text }) => text.trimStart().startsWith('%')))
    await store.ready();
  const isSpell = (paragraph: Paragraph): boolean => store.spellOf(paragraph.text) !== undefined;
  const options = { parallel, ...(await view.runParams()) };
  if (!chosen.some(isSpell)) {
    await note.run({ ...options, ...(paragraphs === undefined ? {} : { paragraphs }) });
    return;
  }
  // What a run skips would be a run of nothing, which not every server ends.
  const wanted = chosen.filter(
    ({ text, state }) => state.server.config?.enabled !== false && text.trim() !== '',
  );
  const { runBySpell } = await import('../../result/packages/spells.ts');
  const byServer = (some: readonly Paragraph[]) =>
    note.run({ ...options, paragraphs: some.map(({ id }) => id) });
  if (parallel) {
    await Promise.all([
      byServer(wanted.filter((paragraph) => !isSpell(paragraph))),
      ...wanted.filter(isSpell).map((paragraph) => runBySpell(client, paragraph)),
    ]);
    return;
  }
  for (const group of grouped(wanted, isSpell)) {
    const results = isSpell(group[0]!)
      ? [await runBySpell(client, group[0]!)]
      : await byServer(group);
    if (results.some((result) => result?.status === 'ERROR' || result?.status === 'ABORT')) return;
  }
}

/** Each spell alone, and what stands between two of them together. */
function grouped(
  paragraphs: readonly Paragraph[],
  isSpell: (paragraph: Paragraph) => boolean,
): Paragraph[][] {
  const groups: Paragraph[][] = [];
  for (const paragraph of paragraphs) {
    const last = groups.at(-1);
    if (last && !isSpell(paragraph) && !isSpell(last[0]!)) last.push(paragraph);
    else groups.push([paragraph]);
  }
  return groups;
}
