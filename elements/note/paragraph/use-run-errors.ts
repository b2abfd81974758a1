/** Errors of a paragraph's last run, shown at their lines as long as those lines are unchanged. */

import { outputText, type ParagraphState } from '@tiding/client';
import { isOutdated } from '@tiding/client/model';
import { useEffect, useReducer, useRef } from 'react';
import type { LineError } from '../../editor/marks/error-lines.ts';
import { createLazyValue } from '../../runtime/lazy-value.ts';

const code = createLazyValue(() => import('../../editor/marks/error-lines.ts'));
const none: readonly LineError[] = [];

interface Known {
  readonly run: string;
  readonly outputs: unknown;
  /** The text that the line numbers refer to. */
  readonly text: string;
  readonly edited: boolean;
  readonly errors: readonly LineError[];
}

/**
 * Returns the errors of the last run. They move with the text; an error disappears when its line is
 * edited, and all disappear when the paragraph runs again.
 */
export function useRunErrors(paragraph: ParagraphState, text: string): readonly LineError[] {
  const { server, outputs } = paragraph;
  const known = useRef<Known>(undefined);
  const [, refresh] = useReducer((n: number) => n + 1, 0);
  const failed = server.status === 'ERROR';
  useEffect(() => {
    if (failed && !code.now()) code.load().then(refresh, () => {});
  }, [failed]);
  const lines = code.now();
  if (!failed || !lines) {
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
    // If the text changed since the run, the line numbers are unknown.
    known.current = {
      run,
      outputs,
      text: ran,
      edited: false,
      errors: isOutdated(server) ? none : lines.errorLines(ran, said),
    };
  }
  const before = known.current;
  if (before.text !== text)
    known.current = {
      ...before,
      text,
      edited: true,
      errors: lines.carryErrors(before.errors, before.text, text),
    };
  return known.current.errors.length === 0 ? none : known.current.errors;
}
