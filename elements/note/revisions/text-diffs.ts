import type { MatchedParagraph } from '@tiding/client/changes';
import { createViewStore, type ViewStore } from '../../runtime/store.ts';
import { diffText, type TextDiff } from './diff.ts';

/** Computed text diffs, by paragraph id. */
export type TextDiffs = Record<string, TextDiff>;

/** Text diffs of a comparison; each is computed once, on first request. */
export function createTextDiffs(): {
  readonly store: ViewStore<TextDiffs>;
  ask(entry: MatchedParagraph): Promise<void>;
} {
  const store = createViewStore<TextDiffs>({});
  const asked = new Map<string, Promise<void>>();
  return {
    store,
    ask(entry) {
      const { id } = entry.paragraph;
      let done = asked.get(id);
      if (!done)
        asked.set(
          id,
          (done = diffText(entry.before?.text, entry.after?.text).then((diff) =>
            store.set({ [id]: diff }),
          )),
        );
      return done;
    },
  };
}
