/**
 * What was typed into a draft, as changes: on a server that numbers its texts, drafts are rebased
 * over the changes of others, in the order that the server sets, and never conflict.
 */

import type { ParagraphState, SentText } from '../../core/state.ts';
import {
  applyTextChange,
  composeTextChanges,
  diffTexts,
  diffWords,
  isSendable,
  mapTextChange,
  type TextChange,
} from '../../model/text/text-change.ts';

/** Whether the draft is based on a numbered text. */
export const isNumbered = ({ base }: ParagraphState): boolean => base?.rev !== undefined;

/** Returns the unanswered commit to a server that numbers its texts. */
export function unansweredCommit(state: ParagraphState): SentText | undefined {
  return isNumbered(state) ? state.inFlight[0] : undefined;
}

/** Returns a change between two texts: the one that is known if it fits, otherwise the shortest. */
function changeBetween(
  from: string,
  to: string,
  known: TextChange | undefined,
  diff: (from: string, to: string) => TextChange = diffTexts,
): TextChange {
  return known && applyTextChange(from, known) === to ? known : diff(from, to);
}

/** Returns what was typed since the last commit, or else since the base. */
export function unsentChange(state: ParagraphState): TextChange {
  const from = unansweredCommit(state)?.text ?? state.base?.text ?? state.server.text ?? '';
  return changeBetween(from, state.draft ?? from, state.change);
}

/** Returns what a commit changes in the base of the draft. */
export function sentChange({ base }: ParagraphState, { text, change }: SentText): TextChange {
  return changeBetween(base?.text ?? '', text, change);
}

/** Returns the fields of a message that name what a text changes in a numbered one. */
export const changeFields = (
  { base }: ParagraphState,
  change: TextChange,
): { baseRev?: number; changes?: TextChange } =>
  base?.rev === undefined
    ? {}
    : { baseRev: base.rev, ...(isSendable(change) ? { changes: change } : {}) };

/** The commits in flight, if any, did not reach the server: their text is only in the draft. */
export function takeBack(state: ParagraphState): ParagraphState {
  const sent = unansweredCommit(state);
  if (!sent) return { ...state, inFlight: [] };
  const change = composeTextChanges(sentChange(state, sent), unsentChange(state));
  return { ...state, inFlight: [], change };
}

/** Applies an edit of the visible text, `change` if it is known, to what was typed before. */
export function typedChange(state: ParagraphState, text: string, change?: TextChange): TextChange {
  const before = state.draft ?? state.server.text ?? '';
  const typed = changeBetween(before, text, change, (from, to) => diffWords(from, to, true));
  return composeTextChanges(unsentChange(state), typed);
}

/**
 * Moves a draft without a commit in flight to the server's current text. `others`: the change from
 * the text that the draft was typed into; without it, or if it doesn't fit, the texts are compared.
 * Own text stays where it was typed, before text that others inserted at the same position, so that
 * the words of two users are not mixed. Returns `undefined` if nothing unsaved is left.
 */
export function rebaseDraft(
  state: ParagraphState,
  from: string,
  others: TextChange | undefined,
): Pick<ParagraphState, 'draft' | 'change' | 'base'> | undefined {
  const { text = '', rev } = state.server;
  const own = changeBetween(from, state.draft ?? from, state.change);
  const change = mapTextChange(own, changeBetween(from, text, others, diffWords), true);
  const draft = applyTextChange(text, change) ?? text;
  return draft === text ? undefined : { draft, change, base: { text, rev } };
}
