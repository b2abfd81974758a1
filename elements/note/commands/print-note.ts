import type { NoteState } from '@tiding/client';
import { prepareDisplay } from '../../result/displays/index.ts';
import { namedOutput } from '../../result/displays/registered.ts';
import { graphOf, resultEntryOf } from '../../result/view-settings.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { isLoading, prepareForPrint } from './print.ts';

/** Longest wait for results before a page is printed as it is, in ms. */
const MAX_WAIT_MS = 15_000;

/** Loads the code of all results of paragraphs, also of those far from the window. */
export async function loadOutputs(paragraphs: NoteState['paragraphs']): Promise<void> {
  await Promise.all(
    Object.values(paragraphs).flatMap(({ outputs, server }) =>
      outputs.map((given, index) => {
        const output = namedOutput(given);
        const { mode } = graphOf(
          resultEntryOf(server.config, index),
          undefined,
          output.type === 'NETWORK' ? 'network' : 'table',
        );
        return prepareDisplay(output, mode);
      }),
    ),
  );
}

/** Prints the note after all its results are loaded and drawn. */
export async function printNote(ui: NoteUi): Promise<void> {
  await ui.note.ready();
  await loadOutputs(ui.note.state.paragraphs);
  prepareForPrint(ui);
  const end = performance.now() + MAX_WAIT_MS;
  do await new Promise((done) => setTimeout(done, 50));
  while (isLoading(ui) && performance.now() < end);
  window.print();
}
