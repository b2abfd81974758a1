/** Widgets of kernels in the outputs of paragraphs. */
import { paragraphOf } from '@tiding/client/notebook';
import type { LiveHandlers } from '../context.ts';
import { requireRunPlace } from './run-place.ts';

/** Live handlers for widgets of kernels. */
export const commsLive = {
  TIDING_COMM_STATE({ data: { id, kernel, model }, noteId, connection }, { notes, runs, hub }) {
    paragraphOf(notes.get(noteId), id);
    const state = runs.widgets.state(noteId, kernel, model);
    hub.send(connection, 'TIDING_COMM_STATE', { id, kernel, ...state });
  },
  TIDING_COMM({ data, noteId, person, connection }, { notes, runs, pool, settings }) {
    paragraphOf(notes.get(noteId), data.id);
    const place = runs.widgets.placeOf(data.kernel);
    if (place)
      requireRunPlace(
        place,
        { noteId, person },
        { pool, settings },
        'This widget belongs to a run of another user. Run the paragraph yourself to use it.',
      );
    runs.widgets.send(noteId, data, connection);
  },
} satisfies Partial<LiveHandlers>;
