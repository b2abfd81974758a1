/**
 * Runs several paragraphs, each with the runtime its magic selects: the server, or a package's
 * spell in this page.
 */
import type { Paragraph } from '@tiding/client';
import { packagesOf } from '../../result/packages/package-store.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { runParams } from './run-params.ts';

/** Which paragraphs to run, and how; see `Note.run`. */
interface Several {
  /** Paragraph ids; default: all. They run in the order of the note. */
  readonly paragraphs?: readonly string[];
  /** Run all at once; a failure does not stop the others. */
  readonly parallel?: boolean;
}

/**
 * Runs paragraphs in the order of the note, up to the first failure. The server does not know
 * spells, so paragraphs between two spells form one server run; a note without spells is a single
 * run. Rejects with the server's error.
 */
export async function runSeveral(
  ui: NoteUi,
  { paragraphs, parallel = false }: Several = {},
): Promise<void> {
  const { client, note } = ui;
  const chosen =
    paragraphs === undefined
      ? note.paragraphs
      : note.paragraphs.filter(({ id }) => paragraphs.includes(id));
  const store = packagesOf(client);
  if (!store.state.get().fetched && chosen.some(({ text }) => text.trimStart().startsWith('%')))
    await store.ready();
  const isSpell = (paragraph: Paragraph): boolean => store.spellOf(paragraph.text) !== undefined;
  const options = { parallel, ...(await runParams(ui, chosen)) };
  if (!chosen.some(isSpell)) {
    await note.run({ ...options, ...(paragraphs === undefined ? {} : { paragraphs }) });
    return;
  }
  // Skip disabled and empty paragraphs: a run without any paragraph never ends on some servers.
  const wanted = chosen.filter(
    ({ text, state }) => state.server.config?.enabled !== false && text.trim() !== '',
  );
  const { runParagraphBySpell: runBySpell } = await import('../../result/packages/spells.ts');
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

/** Groups paragraphs: each spell alone, and consecutive other paragraphs together. */
const grouped = (paragraphs: readonly Paragraph[], isSpell: (one: Paragraph) => boolean) =>
  paragraphs.reduce<Paragraph[][]>((groups, paragraph) => {
    const last = groups.at(-1);
    if (last && !isSpell(paragraph) && !isSpell(last[0]!)) last.push(paragraph);
    else groups.push([paragraph]);
    return groups;
  }, []);
