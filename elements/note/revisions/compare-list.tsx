import type { MatchedParagraph } from '@tiding/client/changes';
import type { Revision } from '@tiding/client/protocol';
import { useViewStore, type ViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { outputChanges, settingChanges } from './changes.ts';
import { Label, matchedTitle } from './diff-card.tsx';
import { EXACT_DATE, revisionDate, revisionName } from './revisions.ts';
import type { TextDiffs } from './text-diffs.ts';
import { revisionTexts as t } from './texts.ts';

/** Whether a paragraph differs between the revisions: in its text, settings or outputs. */
export const differs = ({ type, identical, before, after }: MatchedParagraph): boolean =>
  type !== 'compared' ||
  !identical ||
  settingChanges(before, after).length > 0 ||
  outputChanges(before, after).length > 0;

/** Counts of added, changed and deleted paragraphs in words. */
export function summary(
  paragraphs: readonly MatchedParagraph[],
  changed: ReadonlySet<MatchedParagraph>,
): string {
  const count = (type: MatchedParagraph['type']) =>
    paragraphs.filter((entry) => entry.type === type && changed.has(entry)).length;
  const all = paragraphs.length === 1 ? t.onlyOne : fill(t.several, { count: paragraphs.length });
  return fill(t.summary, {
    all,
    added: count('added'),
    changed: count('compared'),
    deleted: count('deleted'),
  });
}

/** Options for one of the two revisions. Revisions of the same name also show their time. */
export function revisionOptions(revisions: readonly Revision[]): [id: string, text: string][] {
  const names = new Map<string, number>();
  for (const one of revisions)
    names.set(revisionName(one), (names.get(revisionName(one)) ?? 0) + 1);
  const options = revisions
    .filter(({ id }) => id !== '')
    .map((one): [string, string] => [
      one.id,
      names.get(revisionName(one)) === 1 || one.time === undefined
        ? revisionName(one)
        : `${revisionName(one)}, ${revisionDate(one, EXACT_DATE)}`,
    ]);
  return [['', t.choose], ...options];
}

interface EntryProps {
  entry: MatchedParagraph;
  diffs: ViewStore<TextDiffs>;
  selected: boolean;
  onSelect: (id: string) => void;
}

export function ListEntry({ entry, diffs, selected, onSelect }: EntryProps) {
  const { id, title } = entry.paragraph;
  const diff = useViewStore(diffs, (all) => all[id]);
  const beside =
    entry.identical && entry.type === 'compared'
      ? outputChanges(entry.before, entry.after).length > 0
        ? t.resultsDiffer
        : settingChanges(entry.before, entry.after).length > 0
          ? t.settingsDiffer
          : undefined
      : undefined;
  return (
    <li>
      <button
        type="button"
        className={`compare-entry in-row bare ${selected ? 'selected' : ''}`}
        aria-current={selected || undefined}
        title={`${title ? `${id} (${title})` : id}\n${entry.firstLine}`}
        onClick={() => onSelect(id)}
      >
        <span className="compare-name truncate">{matchedTitle(entry)}</span>
        {diff && entry.label === 'there are differences' ? (
          <span className="compare-count">
            <span aria-hidden="true">
              +{diff.added} −{diff.removed}
            </span>
            <span className="visually-hidden">
              {fill(t.lines, { added: diff.added, removed: diff.removed })}
            </span>
          </span>
        ) : null}
        {beside ? <span className="badge warning">{beside}</span> : null}
        <Label entry={entry} />
      </button>
    </li>
  );
}
