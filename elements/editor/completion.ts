import {
  autocompletion,
  completeAnyWord,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { editorHooks, type CompletionEntry } from './hooks.ts';

/** Label and meta together are never longer than this. */
const labelRoom = 42;
const ellipsis = '...';
/** Server entries stand above whatever else the list holds. */
const serverScore = 300;

/** The label of an entry, cut so that it and its meta fit the list. */
export function cutLabel(name: string, meta = ''): string {
  if (name.length + meta.length <= labelRoom) return name;
  return name.slice(0, Math.max(1, labelRoom - meta.length - ellipsis.length)) + ellipsis;
}

/** The meta of an entry, cut where it alone would leave the label no room. */
function cutMeta(meta: string): string {
  const room = labelRoom / 2;
  return meta.length <= room ? meta : meta.slice(0, room - ellipsis.length) + ellipsis;
}

/** A server entry as the list shows it; equally good matches keep the server's order. */
export function toCompletion({ name, value, meta }: CompletionEntry, order = 0): Completion {
  const detail = meta ? cutMeta(meta) : undefined;
  const shown = cutLabel(name, detail);
  const completion: Completion = {
    label: name,
    apply: value,
    detail,
    boost: serverScore,
    sortText: String(order).padStart(6, '0'),
  };
  if (shown !== name) completion.displayLabel = shown;
  return completion;
}

/** Asks the server and the language; only the editor that has the focus does. */
const source: CompletionSource = async (context) => {
  if (context.view && !context.view.hasFocus) return null;
  const { complete, completionSupport } = context.state.facet(editorHooks)();
  const word = context.matchBefore(/[\w$]*/);
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
 * Both lists as one. Of an interpreter that completes, the server's alone; else keywords that the language has itself are
 * taken from the language.
 */
export function merge(
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
  // A language without words of its own has those of the text.
  return words ? null : completeAnyWord(context);
}

/** The completion list: opened by key only, as every question goes to an interpreter. */
export const completion: Extension = autocompletion({
  override: [source],
  activateOnTyping: false,
  defaultKeymap: false,
  icons: false,
  maxRenderedOptions: 200,
  interactionDelay: 0,
});
