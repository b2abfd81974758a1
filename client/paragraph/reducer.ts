/** How one paragraph changes by what the server says and what the user does. Pure. */
import { isWithin, mergeText } from '../model/merge.ts';
import { isRunning } from '../model/status.ts';
import type { Paragraph } from '../protocol/index.ts';
import type { ParagraphState, SentText } from '../state.ts';
import { append, output, outputsOf } from './outputs.ts';

const finalStates = new Set(['FINISHED', 'ERROR', 'ABORT']);
/** More outputs than any run prints: an index beyond is a mistake, and must not make a list of that length. */
const MAX_OUTPUTS = 10_000;

/** Over, although its results are not there: its output may still come as a stream. */
function awaitsOutput({ status, results }: Paragraph): boolean {
  return finalStates.has(status ?? '') && results === undefined;
}

/** A paragraph seen for the first time. */
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
 * A paragraph of a note that is read anew. Ours tells of a run that goes on what it has printed so far, and goes on from
 * there; others tell nothing of it before its end.
 */
export function rereadParagraph(state: ParagraphState, incoming: Paragraph): ParagraphState {
  const next = receiveParagraph(state, incoming);
  if (!isRunning(incoming.status) || incoming.results?.code !== 'INCOMPLETE') return next;
  return { ...next, outputs: outputsOf(incoming.results, next.outputs), outputPhase: 'streaming' };
}

/** A whole paragraph from the server: its fields are taken, what is typed here is kept. */
export function receiveParagraph(state: ParagraphState, incoming: Paragraph): ParagraphState {
  // A may send a skeleton right after creation: fields it leaves out keep their value.
  const present = Object.fromEntries(
    Object.entries(incoming).filter(([, value]) => value !== undefined),
  );
  const server: Paragraph = { ...state.server, ...present };
  for (const key of ['results', 'errorMessage', 'title', 'dateFinished', 'tookMs'] as const) {
    if (incoming[key] === undefined) delete server[key];
  }
  // One that was removed and is there again takes edits again.
  const back = state.removed ? { commitError: undefined } : {};
  return receiveText(receiveOutputs({ ...state, ...back, server, removed: false }, state), server);
}

/** The server's text after a patch. Where the server numbers no texts, ours is not taken for saved: a commit will say. */
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
    // What the run before printed stays in view until this run prints something.
    return { ...next, outputPhase: 'old', progress: 0 };
  }
  if (results)
    return {
      ...next,
      outputs: outputsOf(results, before.outputs),
      outputPhase: 'final',
      progress: 0,
    };
  // Without results: a short run may end so although it printed (its output came, or is still to come, as a stream).
  if (before.outputPhase === 'streaming') return { ...next, progress: 0 };
  const outputs = before.outputs.length === 0 ? before.outputs : [];
  return {
    ...next,
    outputs,
    outputPhase: awaitsOutput(next.server) ? 'streaming' : 'final',
    progress: 0,
  };
}

/** Whether what is unsaved was made from a numbered text. */
const isNumbered = ({ base }: ParagraphState): boolean => base?.rev !== undefined;

/** What was sent to a server that numbers its texts, and is not answered yet. */
export function flightOf(state: ParagraphState): SentText | undefined {
  return isNumbered(state) ? state.inFlight[0] : undefined;
}

/** Whether the server's text has what was sent. */
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

/** The server's text against what is typed here: our own echo, somebody else's edit that merges, or a conflict. */
function receiveText(state: ParagraphState, server: Paragraph): ParagraphState {
  const text = server.text ?? '';
  const { draft, base, inFlight } = state;
  if (draft === undefined) return inFlight.length > 0 ? { ...state, inFlight: [] } : state;
  const sent = flightOf(state);
  if (sent) return hasLanded(state, sent, server) ? landed(state, sent) : state;
  if (draft === text) return clean(state);
  const now = { text, rev: server.rev };
  const echo = inFlight.findLastIndex((each) => each.text === text);
  if (echo >= 0)
    return { ...state, base: now, inFlight: inFlight.slice(echo + 1), commitError: undefined };
  if (base === undefined || base.text === text)
    return base?.rev === server.rev && base ? state : { ...state, base: now };
  if (state.conflict) return { ...state, conflict: { ...state.conflict, theirs: text } };
  // Our own text of an earlier life, of which nobody knows any more that it was sent.
  const isOwn =
    server.author !== undefined &&
    server.author === state.author &&
    (server.rev ?? 0) > (base.rev ?? 0);
  return merged({ ...state, base: isOwn && isWithin(text, draft) ? now : base });
}

/** What was sent is in the server's text: what was typed since starts from that. */
function landed(state: ParagraphState, sent: SentText): ParagraphState {
  return merged({
    ...state,
    base: { text: sent.text, rev: state.base?.rev },
    inFlight: [],
    commitError: undefined,
  });
}

/** The draft with what the server has otherwise than its base. */
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

/** The server has answered what was sent under a number. */
export function commitAnswered(state: ParagraphState, seq: number | undefined): ParagraphState {
  const sent = flightOf(state);
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

/** The user typed. */
export function edit(state: ParagraphState, text: string, author: string): ParagraphState {
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

/** A text went out. */
export function commitSent(state: ParagraphState, text: string, seq?: number): ParagraphState {
  // A run carries the text of a conflict, and of a paragraph that is gone, too: the server refuses it, and then nothing is on its way.
  if (isNumbered(state) && (state.conflict || state.removed)) return state;
  return {
    ...state,
    inFlight: [...(isNumbered(state) ? [] : state.inFlight), { text, seq }],
    commitError: undefined,
  };
}

/** The server said that a commit does not merge. `tried`: it had the base; one that has forgotten it leaves the merge to us. */
export function conflicted(
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

/** Somebody removed the paragraph while text of it was unsaved here: it stays, and says why it cannot be saved. Of its run nobody hears any more. */
export function orphaned(state: ParagraphState): ParagraphState {
  const server: Paragraph = isRunning(state.server.status)
    ? { ...state.server, status: 'ABORT' }
    : state.server;
  return {
    ...state,
    server,
    removed: true,
    inFlight: [],
    commitError: 'the paragraph was removed',
  };
}

/** Keep mine: the draft now starts from the server's text. Take theirs: the draft goes. */
export function resolveConflict(state: ParagraphState, keep: 'mine' | 'theirs'): ParagraphState {
  // Where nothing is unsaved any more there is nothing to keep: what is typed next starts from the text that is here then.
  if (keep === 'theirs' || state.draft === undefined) return clean(state);
  // Over by the time the answer came: what the server has meanwhile is not what the user has seen beside his own.
  if (!state.conflict) return state;
  return {
    ...state,
    conflict: undefined,
    base: { text: state.server.text ?? '', rev: state.server.rev },
  };
}

/** Output `index` is replaced. */
export function updateOutput(
  state: ParagraphState,
  index: number,
  type: string,
  data: string,
): ParagraphState {
  return streamed(state, index, (outputs) => {
    outputs[index] = output(type, data);
  });
}

/** Text at the end of output `index`. */
export function appendOutput(state: ParagraphState, index: number, data: string): ParagraphState {
  return streamed(state, index, (outputs) => {
    outputs[index] = append(outputs[index] ?? output('TEXT'), data);
  });
}

function streamed(
  state: ParagraphState,
  index: number,
  change: (outputs: ParagraphState['outputs'][number][]) => void,
): ParagraphState {
  // The final results hold everything: a late frame of the same run would double its lines.
  if (
    state.outputPhase === 'final' ||
    !Number.isInteger(index) ||
    index < 0 ||
    index >= MAX_OUTPUTS
  )
    return state;
  const outputs = state.outputPhase === 'old' ? [] : [...state.outputs];
  while (outputs.length < index) outputs.push(output('TEXT'));
  change(outputs);
  return { ...state, outputs, outputPhase: 'streaming' };
}
