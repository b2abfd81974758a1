import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  closeCompletion,
  completeAnyWord,
  startCompletion,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type CompletionEntry, editorCallbacks } from './callbacks.ts';

/** Maximum length of label and meta together, in characters. */
const labelRoom = 42;
const ellipsis = '...';
/** Boost that lists server entries first. */
const serverScore = 300;

/** Shortens a label so that it fits the list together with its meta. */
function cutLabel(name: string, meta = ''): string {
  if (name.length + meta.length <= labelRoom) return name;
  return name.slice(0, Math.max(1, labelRoom - meta.length - ellipsis.length)) + ellipsis;
}

/** Shortens a meta that would leave no room for the label. */
function cutMeta(meta: string): string {
  const room = labelRoom / 2;
  return meta.length <= room ? meta : meta.slice(0, room - ellipsis.length) + ellipsis;
}

/** Converts a server entry to a completion; equally good matches keep the server's order. */
function toCompletion({ name, value, meta }: CompletionEntry, order = 0): Completion {
  const detail = meta ? cutMeta(meta) : undefined;
  const shown = cutLabel(name, detail);
  const completionExtension: Completion = {
    label: name,
    apply: value,
    detail,
    boost: serverScore,
    sortText: String(order).padStart(6, '0'),
  };
  if (shown !== name) completionExtension.displayLabel = shown;
  return completionExtension;
}

/** A magic that is being typed at the start of the text. */
const startedMagic = /^\s*%[\w.-]*$/;

/** Longest magic with the blanks before it, in characters. */
const longestMagic = 100;

/**
 * Completes the magic at the start of a text. Only magics that begin with the typed letters are
 * offered, so that Enter after a complete magic begins the next line, as it does without the list.
 */
async function magicResult({ state, pos }: CompletionContext): Promise<CompletionResult | null> {
  const { magics } = state.facet(editorCallbacks)();
  if (!magics || state.readOnly || !isInMagic(state)) return null;
  const before = state.doc.sliceString(0, pos);
  const from = before.indexOf('%');
  const typed = before.slice(from + 1);
  const names = await magics().catch(() => []);
  return magicsFrom(names, from, typed);
}

/** Offers the names that begin with the typed letters, the complete one first. */
function magicsFrom(names: readonly string[], from: number, typed: string): CompletionResult {
  const options = names
    .filter((name) => name.startsWith(typed))
    .sort((one, other) => Number(other === typed) - Number(one === typed))
    .map((name): Completion => ({ label: `%${name}`, apply: acceptMagic }));
  const update: CompletionResult['update'] = (_result, _from, to, { state }) => {
    const text = state.sliceDoc(from, to);
    return startedMagic.test(text) ? magicsFrom(names, from, text.slice(1)) : null;
  };
  return { from, options, filter: false, update };
}

const isInMagic = ({ doc, selection }: EditorState): boolean =>
  selection.main.head <= longestMagic && startedMagic.test(doc.sliceString(0, selection.main.head));

/**
 * Opens the list of magics when a text begins with `%`, also if other lists open by key only, and
 * closes it after the magic. Otherwise the list would ask for other completions there.
 */
const magicList = EditorView.updateListener.of((update) => {
  const { docChanged, startState, state, transactions, view } = update;
  if (!docChanged || !transactions.some((one) => one.isUserEvent('input.type'))) return;
  const [was, is] = [isInMagic(startState), isInMagic(state)];
  if (was === is) return;
  queueMicrotask(() => (is ? startCompletion : closeCompletion)(view));
});

/** Inserts a magic and continues in the line below it. */
function acceptMagic(view: EditorView, { label }: Completion, from: number, to: number): void {
  const { doc } = view.state;
  const line = doc.lineAt(to);
  const isLast = line.to === doc.length;
  const insert = to < line.to ? `${label} ` : isLast ? `${label}\n` : label;
  const anchor = from + insert.length + (to === line.to && !isLast ? 1 : 0);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor },
    userEvent: 'input.complete',
    scrollIntoView: true,
  });
}

/** Completion source that asks the server and the language; only in the focused editor. */
const source: CompletionSource = async (context) => {
  if (context.view && !context.view.hasFocus) return null;
  const magics = await magicResult(context);
  if (magics) return magics;
  const { complete, completionSupport } = context.state.facet(editorCallbacks)();
  const word = context.matchBefore(/[\w$]*/);
  // While typing, only in a name or after the dot of one.
  if (!context.explicit && !context.matchBefore(/[A-Za-z_$][\w$]*\.?$/)) return null;
  const asked = complete?.(context.state.doc.toString(), context.pos).catch(() => []);
  const [entries = [], local] = await Promise.all([asked, localResult(context)]);
  if (context.aborted) return null;
  if (entries.length === 0) return local;
  const from = word?.from ?? context.pos;
  const options = merge(
    entries,
    local?.from === from ? local.options : [],
    completionSupport === true,
  );
  return { from, options, validFor: /^[\w$]*$/ };
};

/**
 * Merges both lists. If the interpreter provides completion, only the server's entries are used.
 * Otherwise keywords known to the language come from the language.
 */
function merge(
  entries: readonly CompletionEntry[],
  local: readonly Completion[],
  completionSupport: boolean,
): readonly Completion[] {
  if (completionSupport) return entries.map(toCompletion);
  const known = new Set(local.map(({ label }) => label.toLowerCase()));
  const others = entries.filter(
    ({ meta, value }) => meta !== 'keyword' || !known.has(value.trim().toLowerCase()),
  );
  return [...others.map(toCompletion), ...local];
}

async function localResult(context: CompletionContext): Promise<CompletionResult | null> {
  let words = false;
  for (const local of context.state.languageDataAt<CompletionSource | undefined>(
    'autocomplete',
    context.pos,
  )) {
    const result = typeof local === 'function' ? await local(context) : null;
    words ||= local !== undefined;
    if (result) return result;
  }
  // For a language without words of its own, offer the words in the text.
  return words ? null : completeAnyWord(context);
}

const listFor = (activateOnTyping: boolean): Extension => [
  magicList,
  autocompletion({
    override: [source],
    activateOnTyping,
    // A pause between words, because each request goes to an interpreter.
    activateOnTypingDelay: 250,
    defaultKeymap: false,
    icons: false,
    maxRenderedOptions: 200,
    interactionDelay: 0,
  }),
];

const byKey = listFor(false);
const whileTyping = listFor(true);

/** Completion list. It opens by key, or also while typing. */
export const completionList = (completesTyping: boolean): Extension =>
  completesTyping ? whileTyping : byKey;
