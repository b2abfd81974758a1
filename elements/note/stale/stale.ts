/** Results that are older than what they use, as the server finds them. Nothing runs by itself. */
import { staleParagraphs, withDependents } from '@tiding/client/model';
import type { ParagraphDependencies } from '@tiding/client/protocol';
import { useEffect, useRef } from 'react';
import { isBusy } from '../commands/busy.ts';
import { isOnTiding } from '../commands/command.ts';
import { runSeveral } from '../commands/run-several.ts';
import { type NoteUi, serversOf, staleKey, useNoteState } from '../ui/note-ui.ts';

/** Time after a run, in ms; often another one follows. */
const SETTLE_MS = 300;

/** Whether a result is known to be stale. */
export const hasStale = ({ note, stale }: NoteUi): boolean =>
  note.paragraphs.some(({ state }) => staleKey(state.server) in stale.get().causes);

/** Reads again which results are stale. Pages with an embed token may not. */
async function readStale(ui: NoteUi): Promise<void> {
  const { client, note, stale } = ui;
  if (!isOnTiding({ note, ui }) || client.session.current?.scope !== undefined) return;
  const all = await note.dependencies().catch((): ParagraphDependencies[] => []);
  const { paragraphs } = client.state.open[note.id] ?? {};
  const found = all.flatMap(({ id, staleBecause }) =>
    paragraphs?.[id] && staleBecause !== undefined
      ? [[staleKey(paragraphs[id].server), staleBecause] as const]
      : [],
  );
  stale.set({ causes: Object.fromEntries(found) });
}

/** Reads which results are stale after runs; returns a function that does so at once. */
export function useStale(ui: NoteUi): () => void {
  const shown = useRef<{ servers: ReturnType<typeof serversOf>; runs: string }>(undefined);
  const runs = useNoteState(ui, (note) => {
    if (!note || isBusy(note)) return '';
    const servers = serversOf(note, shown.current?.servers);
    if (servers !== shown.current?.servers) {
      const runs = servers.map(({ dateStarted, tookMs }) => `${dateStarted} ${tookMs}`).join();
      shown.current = { servers, runs };
    }
    return shown.current.runs;
  });
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (runs !== '') last.current ??= runs;
    if (runs === '' || runs === last.current) return undefined;
    const timer = setTimeout(() => {
      last.current = runs;
      void readStale(ui);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [ui, runs]);
  return () => void (isBusy(ui.note.state) || readStale(ui));
}

/** Saves what was typed, and runs what is stale, or a paragraph and what depends on it. */
export async function runStale(ui: NoteUi, paragraphId?: string): Promise<void> {
  await ui.note.commit();
  const all = await ui.note.dependencies();
  const paragraphs =
    paragraphId === undefined ? staleParagraphs(all) : withDependents(all, paragraphId);
  await runSeveral(ui, { paragraphs });
}
