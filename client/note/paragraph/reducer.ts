/** Reducer of one paragraph: messages of the server and actions of the user. */

import { appendToOutput, createOutput, outputsOf } from '../../core/outputs.ts';
import type { ParagraphState, SentText } from '../../core/state.ts';
import { isRunning } from '../../model/notes/paragraph-status.ts';
import type { TextChange } from '../../model/text/text-change.ts';
import { isSubsequence, mergeText } from '../../model/text/text-merge.ts';
import type { Paragraph } from '../../protocol/index.ts';
import {
  isNumbered,
  rebaseDraft,
  sentChange,
  takeBack,
  typedChange,
  unansweredCommit,
  unsentChange,
} from './draft-changes.ts';

const finalStates = new Set(['FINISHED', 'ERROR', 'ABORT']);
/**
 * Upper limit for the index of an output. A larger one is an error and must not allocate a list of
 * that length.
 */
const MAX_OUTPUTS = 10_000;

/** Whether the run has ended but its results are missing: they may still arrive as a stream. */
function awaitsOutput({ status, results }: Paragraph): boolean {
  return finalStates.has(status ?? '') && results === undefined;
}

/** What a paragraph without a draft has of one. */
const CLEAN = {
  draft: undefined,
  base: undefined,
  change: undefined,
  author: undefined,
  inFlight: [],
  conflict: undefined,
  commitError: undefined,
} as const;

/** Returns the state of a paragraph seen for the first time. */
export function paragraphState(server: Paragraph): ParagraphState {
  return {
    id: server.id,
    server,
    ...CLEAN,
    removed: false,
    outputs: outputsOf(server.results),
    outputPhase: isRunning(server.status) || awaitsOutput(server) ? 'streaming' : 'final',
    progress: server.progress ?? 0,
  };
}

/**
 * Applies a paragraph of a reloaded note. A Tiding server includes the output that a current run
 * has produced so far and continues from there; other servers send none before the end of the run.
 */
export function rereadParagraph(state: ParagraphState, incoming: Paragraph): ParagraphState {
  const next = receiveParagraph(state, incoming, true);
  if (!isRunning(incoming.status) || incoming.results?.code !== 'INCOMPLETE') return next;
  return { ...next, outputs: outputsOf(incoming.results, next.outputs), outputPhase: 'streaming' };
}

/** Fields that a complete paragraph lacks if they are unset. */
const ABSENT_IF_UNSET = [
  'results',
  'errorMessage',
  'title',
  'dateFinished',
  'tookMs',
  'author',
  'authorSeq',
] as const;

/**
 * Applies a complete paragraph from the server. Its fields are replaced; the draft is kept.
 * `isReread`: any number of changes may have been missed.
 */
export function receiveParagraph(
  state: ParagraphState,
  incoming: Paragraph,
  isReread = false,
): ParagraphState {
  // Generation A may send an incomplete paragraph right after creation: missing fields keep their
  // values.
  const present = Object.fromEntries(
    Object.entries(incoming).filter(([, value]) => value !== undefined),
  );
  const server: Paragraph = { ...state.server, ...present };
  for (const key of ABSENT_IF_UNSET) if (incoming[key] === undefined) delete server[key];
  // A removed paragraph that was restored can be edited again.
  const back = state.removed ? { commitError: undefined } : {};
  const next = receiveOutputs({ ...state, ...back, server, removed: false }, state);
  return receiveText(next, state, { isReread });
}

/**
 * Applies the server's text after a patch. If the server does not number texts, a draft does not
 * count as saved; only a commit can tell.
 */
export function receivePatched(
  state: ParagraphState,
  {
    text,
    rev,
    author,
    change,
  }: {
    text: string;
    rev: number | undefined;
    author: string | undefined;
    change?: TextChange | undefined;
  },
): ParagraphState {
  const server: Paragraph = {
    ...state.server,
    text,
    ...(rev === undefined ? {} : { rev, author }),
  };
  delete server.authorSeq;
  const next = receiveText({ ...state, server }, state, { change });
  if (rev !== undefined || state.draft === undefined || next.draft !== undefined) return next;
  return { ...next, draft: text, base: state.base, author: state.author, inFlight: state.inFlight };
}

function receiveOutputs(next: ParagraphState, before: ParagraphState): ParagraphState {
  const { status, results } = next.server;
  if (isRunning(status)) {
    if (isRunning(before.server.status)) return next;
    // The output of the previous run stays visible until this run prints something.
    return { ...next, outputPhase: 'old', progress: 0 };
  }
  if (results)
    return {
      ...next,
      outputs: outputsOf(results, before.outputs),
      outputPhase: 'final',
      progress: 0,
    };
  // Without results: a short run may end like this although its output arrived, or is still to
  // arrive, as a stream.
  if (before.outputPhase === 'streaming') return { ...next, progress: 0 };
  const outputs = before.outputs.length === 0 ? before.outputs : [];
  return {
    ...next,
    outputs,
    outputPhase: awaitsOutput(next.server) ? 'streaming' : 'final',
    progress: 0,
  };
}

/**
 * Whether the server's text is that of a draft or commit because the server has it. Only the reply
 * to a commit tells more: another user may have typed the same, which counts twice, or send what
 * looks like a later edit of this client.
 */
const hasLanded = (state: ParagraphState, text: string | undefined): boolean =>
  text === (state.server.text ?? '') &&
  (!isNumbered(state) || state.server.author === undefined || state.server.author === state.author);

/**
 * Compares the server's text with the draft: it is the echo of an own commit, or an edit by another
 * user. `change`: the change from the text before; without it, the texts are compared.
 */
function receiveText(
  state: ParagraphState,
  before: ParagraphState,
  { change, isReread = false }: { change?: TextChange | undefined; isReread?: boolean },
): ParagraphState {
  const { draft, base, inFlight, server } = state;
  const text = server.text ?? '';
  if (draft === undefined) return inFlight.length > 0 ? { ...state, inFlight: [] } : state;
  const sent = unansweredCommit(state);
  if (sent) {
    // The reply to the commit, which will be sent again, tells exactly what others have changed.
    const waits = isReread && draft !== sent.text;
    return !waits && !change && hasLanded(state, sent.text) ? landed(state, sent) : state;
  }
  if (!change && hasLanded(state, draft)) return clean(state);
  const now = { text, rev: server.rev };
  const echo = inFlight.findLastIndex((each) => each.text === text);
  if (echo >= 0)
    return { ...state, base: now, inFlight: inFlight.slice(echo + 1), commitError: undefined };
  if (base === undefined || base.text === text)
    return base?.rev === server.rev && base ? state : { ...state, base: now };
  if (state.conflict) return { ...state, conflict: { ...state.conflict, theirs: text } };
  // Own text of an earlier session, sent without any record of it left.
  const isOwn =
    server.author !== undefined &&
    server.author === state.author &&
    (server.rev ?? 0) > (base.rev ?? 0);
  if (isOwn && isSubsequence(text, draft)) return { ...state, base: now, change: undefined };
  // The base is not an earlier text of this server.
  if (base.rev === undefined || server.rev === undefined || base.rev >= server.rev)
    return merged(state);
  // The server knows what was missed, and puts the draft in order with it.
  if (isReread || before.server.rev !== base.rev) return state;
  return rebased(state, base.text, change);
}

/** The commit is part of the server's text: later edits are now based on it. */
function landed(state: ParagraphState, sent: SentText, others?: TextChange): ParagraphState {
  return rebased({ ...state, inFlight: [], commitError: undefined }, sent.text, others);
}

/** Puts the draft in order with the changes by others since the text that it was typed into. */
function rebased(state: ParagraphState, from: string, others?: TextChange): ParagraphState {
  const next = rebaseDraft(state, from, others);
  return next ? { ...state, ...next } : clean(state);
}

/** Merges the draft with a text that has no common history with its base. */
function merged(state: ParagraphState): ParagraphState {
  const {
    draft = '',
    base,
    server: { text = '', rev },
  } = state;
  if (draft === text) return clean(state);
  const result = mergeText(base?.text ?? '', draft, text);
  if ('conflict' in result) return { ...state, conflict: { theirs: text, base: base?.text } };
  return result.text === text
    ? clean(state)
    : { ...state, draft: result.text, change: undefined, base: { text, rev } };
}

/** Handles the server's reply to a numbered commit. */
export function commitAnswered(
  state: ParagraphState,
  { seq, change }: { seq: number | undefined; change?: TextChange | undefined },
): ParagraphState {
  const sent = unansweredCommit(state);
  return sent && sent.seq === seq ? landed(state, sent, change) : state;
}

/** Handles the refusal of a commit, with its reason. */
export function commitRefused(state: ParagraphState, error: string): ParagraphState {
  return { ...takeBack(state), commitError: error };
}

const clean = (state: ParagraphState): ParagraphState => ({ ...state, ...CLEAN });

/** Applies an edit by the user. `change`: what was typed into the visible text, if known. */
export function applyEdit(
  state: ParagraphState,
  text: string,
  author: string,
  change?: TextChange,
): ParagraphState {
  const { text: server = '', rev } = state.server;
  const isBased = state.base === undefined || state.base.rev === rev;
  if (text === server && isBased && state.inFlight.length === 0 && !state.conflict)
    return state.draft === undefined ? state : clean(state);
  if (text === state.draft) return state;
  return {
    ...state,
    draft: text,
    ...(state.server.rev === undefined ? {} : { change: typedChange(state, text, change) }),
    author: state.author ?? author,
    base: state.base ?? { text: server, rev: state.server.rev },
  };
}

/** Records a commit that was sent. */
export function commitSent(state: ParagraphState, text: string, seq?: number): ParagraphState {
  // A run may also send the text of a conflict or of a removed paragraph. The server refuses it, so
  // nothing is in flight.
  if (!isNumbered(state))
    return { ...state, inFlight: [...state.inFlight, { text, seq }], commitError: undefined };
  if (state.conflict || state.removed) return state;
  const before = takeBack(state);
  const change = sentChange(before, { text, seq, change: unsentChange(before) });
  return {
    ...before,
    inFlight: [{ text, seq, change }],
    change: undefined,
    commitError: undefined,
  };
}

/**
 * Handles a commit that the server could not merge. A server that no longer has the base leaves the
 * merge to the client. `tried`: the server had the base text, so the user has to decide.
 */
export function receiveConflict(
  state: ParagraphState,
  theirs: string,
  rev: number | undefined,
  tried = true,
): ParagraphState {
  const server = { ...state.server, text: theirs, rev };
  const next = { ...takeBack(state), server };
  const { draft, base } = state;
  if (draft === undefined) return clean(next);
  // The server looked for this edit among those it has: an equal text is somebody else's.
  if (!tried && base && !state.conflict) return rebased(next, base.text);
  return draft === theirs ? clean(next) : { ...next, conflict: { theirs, base: base?.text } };
}

/**
 * Keeps a paragraph that was removed on the server while it had a draft, with the reason why it
 * can't be saved. Its run, if any, will not be reported any more.
 */
export function keepRemovedParagraph(state: ParagraphState): ParagraphState {
  const server: Paragraph = isRunning(state.server.status)
    ? { ...state.server, status: 'ABORT' }
    : state.server;
  return {
    ...takeBack(state),
    server,
    removed: true,
    commitError: 'The paragraph was removed.',
  };
}

/**
 * Resolves a conflict. `mine`: the draft is now based on the server's text; `theirs`: the draft is
 * discarded.
 */
export function resolveConflict(state: ParagraphState, keep: 'mine' | 'theirs'): ParagraphState {
  // Without a draft there is nothing to keep; the next edit will be based on the text at that time.
  if (keep === 'theirs' || state.draft === undefined) return clean(state);
  // The conflict was resolved before the reply arrived. The server's current text is not the one
  // that the user compared with.
  if (!state.conflict) return state;
  return {
    ...state,
    conflict: undefined,
    base: { text: state.server.text ?? '', rev: state.server.rev },
    change: undefined,
  };
}

/** Replaces output `index`. */
export function updateOutput(
  state: ParagraphState,
  index: number,
  type: string,
  data: string,
): ParagraphState {
  return streamed(state, index, (outputs) => {
    outputs[index] = createOutput(type, data);
  });
}

/** Appends text to output `index`. */
export function appendOutput(
  state: ParagraphState,
  index: number,
  data: string,
  storedRows?: number,
): ParagraphState {
  return streamed(state, index, (outputs) => {
    outputs[index] = appendToOutput(outputs[index] ?? createOutput('TEXT'), data, storedRows);
  });
}

function streamed(
  state: ParagraphState,
  index: number,
  change: (outputs: ParagraphState['outputs'][number][]) => void,
): ParagraphState {
  // The final results are complete; a late frame of the same run would duplicate text.
  if (
    state.outputPhase === 'final' ||
    !Number.isInteger(index) ||
    index < 0 ||
    index >= MAX_OUTPUTS
  )
    return state;
  const outputs = state.outputPhase === 'old' ? [] : [...state.outputs];
  while (outputs.length < index) outputs.push(createOutput('TEXT'));
  change(outputs);
  return { ...state, outputs, outputPhase: 'streaming' };
}
