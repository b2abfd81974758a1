import { HEAD_REVISION_ID } from '@tiding/client';
import { type MatchedParagraph, matchRevisions } from '@tiding/client/changes';
import type { Note, Revision } from '@tiding/client/protocol';
import { ArchiveRestore } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Choice } from '../../ui/fields/labelled.tsx';
import type { MenuEntry } from '../../ui/menu/menu-button.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import compareSheet from './compare.css';
import { differs, ListEntry, revisionOptions, summary } from './compare-list.tsx';
import diffSheet from './diff.css';
import { DiffCard } from './diff-card.tsx';
import { restoreParagraph } from './restore.ts';
import { RevisionTable } from './revision-table.tsx';
import { reloadRevisions, revisionName } from './revisions.ts';
import { createTextDiffs } from './text-diffs.ts';
import { revisionTexts as t } from './texts.ts';

const sheets = [compareSheet, diffSheet];
const none: readonly Revision[] = [];

/** Two revisions being compared. */
interface Comparison {
  readonly first: Revision;
  readonly second: Revision;
  readonly notes: { readonly first: Note; readonly second: Note };
  readonly paragraphs: readonly MatchedParagraph[];
}

/** The comparator panel: two revisions of the note, paragraph by paragraph. */
export default function ComparePanel() {
  useSheets(sheets);
  const ui = useNoteUi();
  const revisions = useViewStore(ui.revisions, (state) => state.list) ?? none;
  const [chosen, setChosen] = useState<{ first: string; second: string }>({
    first: '',
    second: '',
  });
  const [comparison, setComparison] = useState<Comparison>();
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [selected, setSelected] = useState<string>();
  const main = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another comparison has other texts
  const diffs = useMemo(createTextDiffs, [comparison]);
  useEffect(() => {
    void ui.messages.act(() => reloadRevisions(ui));
  }, [ui]);

  const { first, second } = chosen;
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares again at another attempt
  useEffect(() => {
    if (first === '' || second === '' || first === second) {
      setComparison(undefined);
      return undefined;
    }
    const stop = new AbortController();
    setBusy(true);
    void ui.messages
      .act(async () => {
        const notes = await ui.note.revisions.compare(first, second, { signal: stop.signal });
        const list = ui.revisions.get().list ?? none;
        const find = (id: string) => list.find((one) => one.id === id) ?? { id };
        if (!stop.signal.aborted)
          setComparison({
            first: find(first),
            second: find(second),
            notes,
            paragraphs: matchRevisions(notes.first.paragraphs ?? [], notes.second.paragraphs ?? []),
          });
      })
      .finally(() => stop.signal.aborted || setBusy(false));
    return () => stop.abort();
  }, [ui, first, second, attempt]);

  const options = useMemo(() => revisionOptions(revisions), [revisions]);
  const changed = useMemo(() => new Set(comparison?.paragraphs.filter(differs)), [comparison]);
  // Compute the line counts of the list one text at a time, so that the page stays responsive.
  useEffect(() => {
    let over = false;
    void (async () => {
      for (const entry of changed) {
        if (over) return;
        await diffs.ask(entry);
      }
    })();
    return () => {
      over = true;
    };
  }, [changed, diffs]);

  const choose = (next: { first: string; second: string }) => {
    setSelected(undefined);
    setChosen(next);
  };
  /** Compares a revision with the one before it; the oldest has none. */
  const chooseRow = (index: number) => {
    const [now, before] = [revisions[index], revisions[index + 1]];
    if (!now || !before) return;
    if (now.id === '' || before.id === '') return ui.messages.error(t.problem);
    choose({ first: before.id, second: now.id });
  };
  const select = (id: string) => {
    setSelected(id);
    requestAnimationFrame(() => {
      const card = main.current?.querySelector<HTMLElement>(`[data-compared="${CSS.escape(id)}"]`);
      card?.scrollIntoView({ block: 'start' });
      card?.focus({ preventScroll: true });
    });
  };
  /** The current change. The next or previous step continues from it if it is in the same card. */
  const place = useRef<Element | undefined>(undefined);
  const step = useCallback((from: HTMLElement, direction: 1 | -1) => {
    const all = [...(main.current?.querySelectorAll('[data-change]') ?? [])];
    const last = place.current && from.contains(place.current) ? all.indexOf(place.current) : -1;
    const own = all.findIndex(
      (one) =>
        from.contains(one) ||
        (from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
    const next = last >= 0 ? all[last + direction] : direction === 1 ? all[own] : all[own - 1];
    if (!next) return;
    for (const one of all) one.classList.toggle('current', one === next);
    place.current = next;
    next.scrollIntoView({ block: 'center' });
    const card = next.closest<HTMLElement>('.diff-card');
    if (card && card !== from)
      card
        .querySelector<HTMLElement>(`[aria-label="${direction === 1 ? t.next : t.previous}"]`)
        ?.focus({ preventScroll: true });
  }, []);

  const again = useCallback(() => setAttempt((before) => before + 1), []);
  const restore = useCallback(
    (entry: MatchedParagraph): MenuEntry[] => {
      if (!comparison || !ui.layout.writable) return [];
      return (['first', 'second'] as const).flatMap((side) => {
        const version = side === 'first' ? entry.before : entry.after;
        const { [side]: revision, notes } = comparison;
        if (
          !version ||
          revision.id === HEAD_REVISION_ID ||
          (side === 'second' && entry.before && !differs(entry))
        )
          return [];
        const index = (notes[side].paragraphs ?? []).findIndex(({ id }) => id === version.id);
        const name = revisionName(revision);
        return [
          {
            label: fill(t.restoreAs, { name }),
            icon: ArchiveRestore,
            onSelect: () =>
              void restoreParagraph(ui, version, index, name).then((done) => done && again()),
          },
        ];
      });
    },
    [comparison, ui, again],
  );

  const cards =
    comparison?.paragraphs.filter(
      (entry) => changed.has(entry) || entry.paragraph.id === selected,
    ) ?? [];
  return (
    <div className="compare">
      <div className="compare-side">
        <div className="compare-pair">
          <Choice
            aria-label={t.first}
            value={first}
            options={options}
            onValue={(id) => choose({ first: id, second: id === '' ? '' : second })}
          />
          <span className="compare-with">{t.compareWith}</span>
          <Choice
            aria-label={t.second}
            value={second}
            options={options}
            disabled={first === ''}
            onValue={(id) => choose({ first, second: id })}
          />
        </div>
        <div className="compare-list" role="status">
          {busy ? (
            <p className="hint">{commonTexts.loading}</p>
          ) : comparison ? (
            <p className="label">{summary(comparison.paragraphs, changed)}</p>
          ) : (
            <p className="hint">{t.pleaseSelect}</p>
          )}
        </div>
        {comparison ? (
          <ul className="compare-paragraphs" aria-label={t.paragraphs}>
            {comparison.paragraphs.map((entry) => (
              <ListEntry
                key={`${entry.type} ${entry.paragraph.id}`}
                entry={entry}
                diffs={diffs.store}
                selected={entry.paragraph.id === selected}
                onSelect={select}
              />
            ))}
          </ul>
        ) : null}
        <RevisionTable
          revisions={revisions}
          first={first}
          second={second}
          onChoose={chooseRow}
          onChanged={again}
        />
      </div>
      <div className="compare-main" ref={main} aria-busy={busy}>
        {cards.length === 0 ? <p className="hint compare-nothing">{t.nothing}</p> : null}
        {comparison
          ? cards.map((entry) => (
              <DiffCard
                key={`${entry.type} ${entry.paragraph.id}`}
                entry={entry}
                diffs={diffs}
                first={revisionName(comparison.first)}
                second={revisionName(comparison.second)}
                restore={restore}
                onStep={step}
              />
            ))
          : null}
      </div>
    </div>
  );
}
