/** Widgets of kernels in the outputs of paragraphs. */
import { widgetViewInHtml } from '@tiding/client/model';
import { paragraphOf } from '@tiding/client/notebook';
import { Refusal } from '../../base/errors.ts';
import { modelReferences } from '../../interpreters/kernels/comms/comm-models.ts';
import type { LiveHandlers, LiveRequest, ServerContext } from '../context.ts';
import { requireRunPlace } from './run-place.ts';

/**
 * Refuses models that no widget in the paragraph is connected with, to a page whose embed token is
 * only for that paragraph.
 */
function requireShown(
  { data: { id, kernel }, noteId, person }: LiveRequest<'TIDING_COMM' | 'TIDING_COMM_STATE'>,
  models: readonly string[],
  { notes, runs }: ServerContext,
): void {
  const { results } = paragraphOf(notes.get(noteId), id);
  if (person.embed?.paragraphId === undefined) return;
  const shown = new Set<string>();
  for (const { data } of results?.msg ?? []) {
    const view = widgetViewInHtml(data);
    if (view?.kernel !== kernel) continue;
    for (const { comm } of runs.widgets.state(noteId, kernel, view.model).models) shown.add(comm);
  }
  if (!models.every((model) => shown.has(model)))
    throw new Refusal(403, 'The paragraph of this page has no such widget.', 'forbidden');
}

/** Live handlers for widgets of kernels. */
export const commsLive = {
  TIDING_COMM_STATE(request, context) {
    const { id, kernel, model } = request.data;
    requireShown(request, [model], context);
    const state = context.runs.widgets.state(request.noteId, kernel, model);
    context.hub.send(request.connection, 'TIDING_COMM_STATE', { id, kernel, ...state });
  },
  TIDING_COMM(request, context) {
    const { data, noteId, person, connection } = request;
    const { runs, pool, settings } = context;
    requireShown(request, [data.comm, ...modelReferences(data.data)], context);
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
