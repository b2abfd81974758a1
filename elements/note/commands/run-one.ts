/** Runs of one paragraph, apart from the command table, which embedded paragraphs do not load. */

import {
  type Client,
  type Paragraph,
  paragraphText,
  type Run,
  type RunResult,
} from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { packagesOf } from '../../result/packages/package-store.ts';
import { holdChanges } from '../../runtime/clients.ts';
import { isProse } from '../paragraph/look.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import type { ParagraphTarget } from './command.ts';
import { present } from './present.ts';
import { runParams } from './run-params.ts';

/** Whether the paragraph can be run: it is enabled, not empty, and not running. */
export const isRunnable = (at: ParagraphTarget): boolean =>
  at.state.server.config?.enabled !== false &&
  paragraphText(at.state).trim() !== '' &&
  !isRunning(at.state.server.status);

/**
 * Runs a paragraph with the runtime its magic selects: a package's spell in this page, or an
 * interpreter on the server.
 */
export async function runHere(
  ui: NoteUi,
  paragraph: Paragraph,
  chosen?: Readonly<Record<string, unknown>>,
): Promise<RunResult> {
  const store = packagesOf(ui.client);
  // While the package list is still loading, only a text that starts with a magic has to wait for
  // it.
  if (!store.state.get().fetched && paragraph.text.trimStart().startsWith('%')) await store.ready();
  if (store.spellOf(paragraph.text)) {
    const { runParagraphBySpell: runBySpell } = await import('../../result/packages/spells.ts');
    const run = runBySpell(ui.client, paragraph);
    if (run) return run;
  }
  const params = await runParams(ui, [paragraph], chosen);
  return showWhenUseful(ui.client, paragraph, () => paragraph.run(params));
}

/**
 * Starts a run and holds back what it changes on the page until there is something to see: a run
 * of a few milliseconds would otherwise switch buttons and states back and forth, and its output
 * would wait for the frame that shows the start.
 */
function showWhenUseful(
  client: Client,
  { id }: Paragraph,
  start: () => Run<RunResult>,
): Run<RunResult> {
  const release = holdChanges(client);
  const onOutput = ({ data }: { data: { paragraphId?: string } }): void => {
    if (data.paragraphId === id) end();
  };
  const stops = [
    client.on('PARAGRAPH_APPEND_OUTPUT', onOutput),
    client.on('PARAGRAPH_UPDATE_OUTPUT', onOutput),
  ];
  const end = (): void => {
    release();
    for (const stop of stops) stop();
  };
  const run = start();
  run.then(end, end);
  return run;
}

/** Runs a paragraph, with the given form values if any. */
export async function runOne(
  at: ParagraphTarget,
  chosen?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { paragraph } = at;
  if (isRunning(paragraph.state.server.status) || paragraph.text.trim() === '') return;
  // Opening the editor of prose hides its output. If the text is now code, nothing else would show
  // the output again.
  const { editorSetting, tableHide } = paragraph.state.server.config ?? {};
  if (editorSetting?.editOnDblClick && tableHide && !isProse(paragraph.state))
    paragraph.present({ tableHide: false });
  const result = await runHere(at.ui, paragraph, chosen);
  const now = paragraph.state;
  if (result.status === 'FINISHED' && isProse(now) && !now.server.config?.editorHide)
    await present(at.ui, paragraph, { editorHide: true, tableHide: false });
}
