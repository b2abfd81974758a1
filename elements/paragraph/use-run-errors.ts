/** Errors of a paragraph's last run at their lines, for as long as those lines are as they ran. */
import { useRef } from 'react';
import { outputText, type ParagraphState } from 'tiding/client';
import { isOutdated } from 'tiding/model';
import { carryErrors, errorLines, type LineError } from '../editor/index.ts';

const none: readonly LineError[] = [];

interface Known {
  /** Which run it was. */
  readonly run: string;
  readonly outputs: unknown;
  /** The text that the lines are of. */
  readonly text: string;
  readonly edited: boolean;
  readonly errors: readonly LineError[];
}

/** They move with the text; one is gone when its line is edited, all are when the paragraph runs again. */
export function useRunErrors(paragraph: ParagraphState, text: string): readonly LineError[] {
  const { server, outputs } = paragraph;
  const known = useRef<Known>(undefined);
  if (server.status !== 'ERROR') {
    known.current = undefined;
    return none;
  }
  const run = `${server.dateStarted} ${server.dateFinished}`;
  if (known.current?.run !== run || (known.current.outputs !== outputs && !known.current.edited)) {
    const ran = server.text ?? '';
    const said = outputs
      .filter(({ type }) => type === 'TEXT')
      .map(outputText)
      .concat(server.errorMessage ?? '')
      .join('\n');
    // Of a text that was changed since it ran nobody knows which lines.
    known.current = {
      run,
      outputs,
      text: ran,
      edited: false,
      errors: isOutdated(server) ? none : errorLines(ran, said),
    };
  }
  const before = known.current;
  if (before.text !== text)
    known.current = {
      ...before,
      text,
      edited: true,
      errors: carryErrors(before.errors, before.text, text),
    };
  return known.current.errors.length === 0 ? none : known.current.errors;
}
