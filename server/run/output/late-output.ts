/** What code prints after its run, as when a widget is changed: it follows the run's outputs. */
import type { Results } from '@tiding/client/protocol';
import type { Logger } from '../../logging/log.ts';
import type { NoteEditor } from '../../notes/editor.ts';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import { OutputStream } from './output.ts';

/** Minimum time between two updates of the paragraph, in ms. */
const PAUSE_MS = 100;

interface LateOptions {
  readonly editor: NoteEditor;
  readonly log: Logger;
  readonly maxOutputBytes: number;
  readonly maxDocumentBytes: number;
}

/** The late output that is the end of some results. */
const streams = new WeakMap<object, OutputStream>();

/**
 * Returns the output that follows the results of a paragraph, which is not running. A new run
 * replaces it together with the results; `clear` removes only what was printed late.
 */
export function lateOutput(
  options: LateOptions,
  note: StoredNote,
  paragraph: StoredParagraph,
): OutputStream {
  const { results: before } = paragraph;
  const known = before && streams.get(before);
  if (known) return known;
  let now: Results = { code: before?.code ?? 'SUCCESS', msg: [...(before?.msg ?? [])] };
  const first = now.msg ?? [];
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    timer = undefined;
    stream.flush();
    // A run has started, or the output was cleared.
    if (paragraph.results !== now) return;
    now = { ...now, msg: [...first, ...stream.results()] };
    streams.set(now, stream);
    paragraph.results = now;
    options.editor
      .publish(note, paragraph)
      .catch((error: Error) =>
        options.log.error(
          { note: note.id, error: error.message },
          'the output of a widget could not be stored',
        ),
      );
  };
  const changed = (): void => void (timer ??= setTimeout(show, PAUSE_MS));
  const stream = new OutputStream(
    { update: changed, append: changed, storing: () => undefined, clear: changed },
    options.maxOutputBytes,
    options.maxDocumentBytes,
  );
  streams.set(now, stream);
  paragraph.results = now;
  return stream;
}
