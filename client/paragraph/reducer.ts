/** How one paragraph changes by what the server says and what the user does. Pure. */
import { carried, includes, isWithin, mergeText } from '../model/merge.ts';
import { isRunning } from '../model/status.ts';
import type { Paragraph } from '../protocol/index.ts';
import type { ParagraphState } from '../state.ts';
import { append, output, outputsOf } from './outputs.ts';

const finalStates = new Set(['FINISHED', 'ERROR', 'ABORT']);
/** Sent texts that are remembered until all is saved. */
const SENT = 50;
/** Of them, those that may be in a text of somebody else before their own answers are here. */
const UNHEARD = 5;
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
    sent: [],
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
  const present = Object.fromEntries(Object.entries(incoming).filter(([, value]) => value !== undefined));
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
  state: ParagraphState, { text, rev, author, mine }: { text: string; rev: number | undefined; author: string | undefined; mine?: string | undefined },
): ParagraphState {
  const server: Paragraph = { ...state.server, text, ...(rev === undefined ? {} : { rev, author }) };
  delete server.authorSeq;
  const next = receiveText({ ...state, server }, server, mine);
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
  if (results) return { ...next, outputs: outputsOf(results, before.outputs), outputPhase: 'final', progress: 0 };
  // Without results: a short run may end so although it printed (its output came, or is still to come, as a stream).
  if (before.outputPhase === 'streaming') return { ...next, progress: 0 };
  const outputs = before.outputs.length === 0 ? before.outputs : [];
  return { ...next, outputs, outputPhase: awaitsOutput(next.server) ? 'streaming' : 'final', progress: 0 };
}

/** The server's text against what is typed here: our own echo, somebody else's edit that merges, or a conflict. */
function receiveText(state: ParagraphState, server: Paragraph, mine?: string): ParagraphState {
  const text = server.text ?? '';
  const { draft, base, inFlight } = state;
  if (draft === undefined) return inFlight.length > 0 ? { ...state, inFlight: [] } : state;
  if (draft === text) return clean(state);
  const now = { text, rev: server.rev };
  const echo = inFlight.lastIndexOf(text);
  if (echo >= 0) return { ...state, base: now, inFlight: inFlight.slice(echo + 1), commitError: undefined };
  // Our own text, although the answer to its commit was lost; what others wrote before it may be in it.
  if (server.author !== undefined && server.author === state.author && (server.rev ?? 0) > (base?.rev ?? 0) && !state.conflict) {
    const entry = state.sent.findLast((each) => (mine === undefined ? each.seq === server.authorSeq : each.text === mine));
    const sent = entry ? rebased(entry, base, draft) : mine;
    const from = sent ?? (isWithin(text, draft) ? text : base?.text);
    const merged = from === undefined || from === text ? { text: draft } : mergeText(from, draft, text);
    if ('conflict' in merged) return { ...state, conflict: { theirs: text, base: from } };
    return merged.text === text ? clean(state) : { ...state, draft: merged.text, base: now, commitError: undefined };
  }
  if (base === undefined || base.text === text) return base?.rev === server.rev && base ? state : { ...state, base: now };
  if (state.conflict) return { ...state, conflict: { ...state.conflict, theirs: text } };
  // Somebody may have had what is on its way from here before he wrote: then it is in his text, and not to be put in again.
  const from = state.sent.slice(-UNHEARD).map((entry) => rebased(entry, base, draft)).findLast((sent) => includes(base.text, text, sent)) ?? base.text;
  const merged = mergeText(from, draft, text);
  if ('conflict' in merged) return { ...state, conflict: { theirs: text, base: base.text } };
  return merged.text === text ? clean(state) : { ...state, draft: merged.text, base: now };
}

/** What was sent, as far as the draft has it, with what has been heard of others since. */
function rebased({ text, base }: ParagraphState['sent'][number], now: ParagraphState['base'], draft: string): string {
  return base === undefined || now === undefined || base === now.text ? text : carried(base, text, now.text, draft) ?? text;
}

function clean(state: ParagraphState): ParagraphState {
  return { ...state, draft: undefined, base: undefined, author: undefined, inFlight: [], sent: [], conflict: undefined, commitError: undefined };
}

/** The user typed. */
export function edit(state: ParagraphState, text: string, author: string): ParagraphState {
  const server = state.server.text ?? '';
  if (text === server && state.inFlight.length === 0 && !state.conflict) return state.draft === undefined ? state : clean(state);
  if (text === state.draft) return state;
  return { ...state, draft: text, author: state.author ?? author, base: state.base ?? { text: server, rev: state.server.rev } };
}

/** A commit went out. */
export function commitSent(state: ParagraphState, text: string, seq?: number): ParagraphState {
  const sent = seq === undefined ? state.sent : [...state.sent, { seq, text, base: state.base?.text }].slice(-SENT);
  return { ...state, inFlight: [...state.inFlight, text], sent, commitError: undefined };
}

/** The server said that a commit does not merge. `tried`: it had the base; one that has forgotten it leaves the merge to us. */
export function conflicted(state: ParagraphState, theirs: string, rev: number | undefined, tried = true): ParagraphState {
  const server = { ...state.server, text: theirs, rev };
  if (state.draft === undefined || state.draft === theirs) return clean({ ...state, server });
  const merged = tried || !state.base || state.conflict ? undefined : mergeText(state.base.text, state.draft, theirs);
  if (merged && 'text' in merged) {
    const next = { ...state, server, inFlight: [] };
    return merged.text === theirs ? clean(next) : { ...next, draft: merged.text, base: { text: theirs, rev } };
  }
  return { ...state, server, inFlight: [], conflict: { theirs, base: state.base?.text } };
}

/** Somebody removed the paragraph while text of it was unsaved here: it stays, and says why it cannot be saved. Of its run nobody hears any more. */
export function orphaned(state: ParagraphState): ParagraphState {
  const server: Paragraph = isRunning(state.server.status) ? { ...state.server, status: 'ABORT' } : state.server;
  return { ...state, server, removed: true, inFlight: [], commitError: 'the paragraph was removed' };
}

/** Keep mine: the draft now starts from the server's text. Take theirs: the draft goes. */
export function resolveConflict(state: ParagraphState, keep: 'mine' | 'theirs'): ParagraphState {
  // Where nothing is unsaved any more there is nothing to keep: what is typed next starts from the text that is here then.
  if (keep === 'theirs' || state.draft === undefined) return clean(state);
  return { ...state, conflict: undefined, base: { text: state.server.text ?? '', rev: state.server.rev } };
}

/** Output `index` is replaced. */
export function updateOutput(state: ParagraphState, index: number, type: string, data: string): ParagraphState {
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

function streamed(state: ParagraphState, index: number, change: (outputs: ParagraphState['outputs'][number][]) => void): ParagraphState {
  // The final results hold everything: a late frame of the same run would double its lines.
  if (state.outputPhase === 'final' || !Number.isInteger(index) || index < 0 || index >= MAX_OUTPUTS) return state;
  const outputs = state.outputPhase === 'old' ? [] : [...state.outputs];
  while (outputs.length < index) outputs.push(output('TEXT'));
  change(outputs);
  return { ...state, outputs, outputPhase: 'streaming' };
}
