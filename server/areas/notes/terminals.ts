/** Terminals of running paragraphs. */
import { paragraphOf } from '@tiding/client/notebook';
import type { LiveHandlers, LiveRequest, ServerContext } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import type { TerminalProgram } from '../../interpreters/contract.ts';
import { requireInterpreter } from '../../run/embed-interpreters.ts';

/**
 * Returns the terminal that a paragraph runs. Without one, sends the paragraph, because the
 * sender's state of it may be old. Who types needs the same permissions as to run that code.
 */
function terminalOf(
  { data, noteId, person }: LiveRequest<'TIDING_TERMINAL_INPUT' | 'TIDING_TERMINAL_SIZE'>,
  { notes, runs, pool, settings, editor }: ServerContext,
): TerminalProgram | undefined {
  const note = notes.get(noteId);
  const paragraph = paragraphOf(note, data.id);
  const terminal = runs.terminal(note, data.id);
  if (!terminal) {
    editor.sendParagraph(note, paragraph);
    return undefined;
  }
  const { program, interpreter, group } = terminal;
  requireInterpreter(person.embed, interpreter);
  // Absent: the interpreter was turned off meanwhile.
  const setting = pool.setting(interpreter) && settings.get(interpreter);
  if (!setting || !pool.mayUse(setting, person.principal))
    throw new Refusal(
      403,
      `You don't have permission to use interpreter ${interpreter}.`,
      'forbidden',
    );
  const own = pool.valueGroup({ name: interpreter }, { noteId, principal: person.principal });
  if (own !== group)
    throw new Refusal(
      403,
      'This terminal belongs to another user. Cancel it and run the paragraph yourself.',
      'forbidden',
    );
  return program;
}

/** Live handlers for terminals. */
export const terminalsLive = {
  TIDING_TERMINAL_INPUT: (request, context) =>
    terminalOf(request, context)?.type(request.data.input),
  TIDING_TERMINAL_SIZE: (request, context) =>
    terminalOf(request, context)?.resize(request.data.columns, request.data.rows),
} satisfies Partial<LiveHandlers>;
