/** Reducer of one paragraph: messages of the server and actions of the user. */

import { isRunning } from '../model/notes/paragraph-status.ts';
import { isSubsequence, mergeText } from '../model/text/text-merge.ts';
import type { Paragraph } from '../protocol/index.ts';
import type { ParagraphState, SentText } from '../state.ts';
import { appendToOutput, createOutput, outputsOf } from './outputs.ts';

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

/** Returns the state of a paragraph seen for the first time. */
export function paragraphState(server: Paragraph): ParagraphState {
  return {
    id: server.id,
    server,
    draft: undefined,
    base: undefined,
    author: undefined,
    inFlight: [],
    conflict: undefined,
    commitError: undefined,
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
  const next = receiveParagraph(state, incoming);
  if (!isRunning(incoming.status) || incoming.results?.code !== 'INCOMPLETE') return next;
  return { ...next, outputs: outputsOf(incoming.results, next.outputs), outputPhase: 'streaming' };
}

/** Applies a complete paragraph from the server. Its fields are replaced; the draft is kept. */
export function receiveParagraph(state: ParagraphState, incoming: Paragraph): ParagraphState {
  // Generation A may send an incomplete paragraph right after creation: missing fields keep their
  // values.
  const present = Object.fromEntries(
    Object.entries(incoming).filter(([, value]) => value !== undefined),
  );
  const server: Paragraph = { ...state.server, ...present };
  for (const key of ['results', 'errorMessage', 'title', 'dateFinished', 'tookMs'] as const) {
    if (incoming[key] === undefined) delete server[key];
  }
  // A removed paragraph that was restored can be edited again.
  const back = state.removed ? { commitError: undefined } : {};
  return receiveText(receiveOutputs({ ...state, ...back, server, removed: false }, state), server);
}

/**
 * Applies the server's text after a patch. If the server does not number texts, a draft does not
 * count as saved; only a commit can tell.
 */
export function receivePatched(
  state: ParagraphState,
  { text, rev, author }: { text: string; rev: number | undefined; author: string | undefined },
): ParagraphState {
  const server: Paragraph = {
    ...state.server,
    text,
    ...(rev === undefined ? {} : { rev, author }),
  };
  delete server.authorSeq;
  const next = receiveText({ ...state, server }, server);
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

/** Whether the draft is based on a numbered text. */
const isNumbered = ({ base }: ParagraphState): boolean => base?.rev !== undefined;

/** Returns the unanswered commit to a server that numbers its texts. */
export function unansweredCommit(state: ParagraphState): SentText | undefined {
  return isNumbered(state) ? state.inFlight[0] : undefined;
}

/** Whether the server's text contains the commit. */
function hasLanded({ author }: ParagraphState, sent: SentText, server: Paragraph): boolean {
  if (
    author !== undefined &&
    server.author === author &&
    sent.seq !== undefined &&
    (server.authorSeq ?? 0) >= sent.seq
  )
    return true;
  return sent.text === server.text;
}

/**
 * Compares the server's text with the draft: it is the echo of an own commit, an edit by another
 * user that can be merged, or a conflict.
 */
function receiveText(state: ParagraphState, server: Paragraph): ParagraphState {
  const text = server.text ?? '';
  const { draft, base, inFlight } = state;
  if (draft === undefined) return inFlight.length > 0 ? { ...state, inFlight: [] } : state;
  const sent = unansweredCommit(state);
  if (sent) return hasLanded(state, sent, server) ? landed(state, sent) : state;
  if (draft === text) return clean(state);
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
  return merged({ ...state, base: isOwn && isSubsequence(text, draft) ? now : base });
}

/** The commit is part of the server's text: later edits are now based on it. */
function landed(state: ParagraphState, sent: SentText): ParagraphState {
  return merged({
    ...state,
    base: { text: sent.text, rev: state.base?.rev },
    inFlight: [],
    commitError: undefined,
  });
}

/** Merges the draft with the server's changes since its base. */
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
    : { ...state, draft: result.text, base: { text, rev } };
}

/** Handles the server's reply to a numbered commit. */
export function commitAnswered(state: ParagraphState, seq: number | undefined): ParagraphState {
  const sent = unansweredCommit(state);
  return sent && sent.seq === seq ? landed(state, sent) : state;
}

function clean(state: ParagraphState): ParagraphState {
  return {
    ...state,
    draft: undefined,
    base: undefined,
    author: undefined,
    inFlight: [],
    conflict: undefined,
    commitError: undefined,
  };
}

/** Applies an edit by the user. */
export function applyEdit(state: ParagraphState, text: string, author: string): ParagraphState {
  const server = state.server.text ?? '';
  if (text === server && state.inFlight.length === 0 && !state.conflict)
    return state.draft === undefined ? state : clean(state);
  if (text === state.draft) return state;
  return {
    ...state,
    draft: text,
    author: state.author ?? author,
    base: state.base ?? { text: server, rev: state.server.rev },
  };
}

/** Records a commit that was sent. */
export function commitSent(state: ParagraphState, text: string, seq?: number): ParagraphState {
  // A run may also send the text of a conflict or of a removed paragraph. The server refuses it, so
  // nothing is in flight.
  if (isNumbered(state) && (state.conflict || state.removed)) return state;
  return {
    ...state,
    inFlight: [...(isNumbered(state) ? [] : state.inFlight), { text, seq }],
    commitError: undefined,
  };
}

/**
 * Handles a conflict reported by the server. `tried`: the server had the base text and tried to
 * merge; a server that no longer has it leaves the merge to the client.
 */
export function receiveConflict(
  state: ParagraphState,
  theirs: string,
  rev: number | undefined,
  tried = true,
): ParagraphState {
  const server = { ...state.server, text: theirs, rev };
  if (state.draft === undefined || state.draft === theirs) return clean({ ...state, server });
  const merged =
    tried || !state.base || state.conflict
      ? undefined
      : mergeText(state.base.text, state.draft, theirs);
  if (merged && 'text' in merged) {
    const next = { ...state, server, inFlight: [] };
    return merged.text === theirs
      ? clean(next)
      : { ...next, draft: merged.text, base: { text: theirs, rev } };
  }
  return { ...state, server, inFlight: [], conflict: { theirs, base: state.base?.text } };
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
    ...state,
    server,
    removed: true,
    inFlight: [],
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
export function appendOutput(state: ParagraphState, index: number, data: string): ParagraphState {
  return streamed(state, index, (outputs) => {
    outputs[index] = appendToOutput(outputs[index] ?? createOutput('TEXT'), data);
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
