/** What users type into running paragraphs: into terminals, and as answers to code. */
import { paragraphOf } from '@tiding/client/notebook';
import type { CurrentRun, RunPlace } from '../../run/run-origin.ts';
import type { LiveHandlers, LiveRequest, ServerContext } from '../context.ts';
import { requireRunPlace } from './run-place.ts';

/**
 * Returns what a paragraph runs that can be typed into. If it runs nothing like that, sends the
 * paragraph, because the sender's state of it may be old. Who types needs the same permissions as
 * to run that code.
 */
function inputOf<Place extends RunPlace>(
  {
    data,
    noteId,
    person,
  }: LiveRequest<'TIDING_TERMINAL_INPUT' | 'TIDING_TERMINAL_SIZE' | 'TIDING_ANSWER'>,
  { notes, runs, pool, settings, editor }: ServerContext,
  pick: (inputs: Pick<CurrentRun, 'terminal' | 'question'>) => Place | undefined,
): Place | undefined {
  const note = notes.get(noteId);
  const paragraph = paragraphOf(note, data.id);
  const place = pick(runs.inputs(note, data.id));
  if (!place) {
    editor.sendParagraph(note, paragraph);
    return undefined;
  }
  requireRunPlace(
    place,
    { noteId, person },
    { pool, settings },
    'This run belongs to another user. Cancel it and run the paragraph yourself.',
  );
  return place;
}

const terminalOf = (
  request: LiveRequest<'TIDING_TERMINAL_INPUT' | 'TIDING_TERMINAL_SIZE'>,
  context: ServerContext,
) => inputOf(request, context, ({ terminal }) => terminal)?.program;

/** Live handlers for terminals and for questions of code. */
export const terminalsLive = {
  TIDING_TERMINAL_INPUT: (request, context) =>
    terminalOf(request, context)?.type(request.data.input),
  TIDING_TERMINAL_SIZE: (request, context) =>
    terminalOf(request, context)?.resize(request.data.columns, request.data.rows),
  TIDING_ANSWER: (request, context) =>
    inputOf(request, context, ({ question }) =>
      question?.id === request.data.question ? question : undefined,
    )?.answer(request.data.answer),
} satisfies Partial<LiveHandlers>;
