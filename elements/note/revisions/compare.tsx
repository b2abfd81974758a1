import { ArchiveRestore, Ellipsis, History } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { HEAD } from 'tiding/client';
import { matchRevisions, type MatchedParagraph } from 'tiding/model';
import type { Note, Revision } from 'tiding/protocol';
import { createStore, useStore, type Store } from '../../runtime/store.ts';
import { fill, text } from '../../text/en.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu-button.tsx';
import type { PanelProps } from '../panels/index.ts';
import { useViewState, type NoteView } from '../view.tsx';
import { outputChanges, settingChanges } from './changes.ts';
import { DiffCard, Label, titleOf } from './diff-card.tsx';
import { diffText, type TextDiff } from './diff.ts';
import { restoreParagraph } from './restore.ts';
import {
  dateOf,
  EXACT_DATE,
  goToRevision,
  nameOf,
  reloadRevisions,
  setAsHead,
} from './revisions.ts';

const t = text.revisions;
const none: readonly Revision[] = [];

/** Two revisions side by side. */
interface Comparison {
  readonly first: Revision;
  readonly second: Revision;
  readonly notes: { readonly first: Note; readonly second: Note };
  readonly paragraphs: readonly MatchedParagraph[];
}

/** Texts that are compared already, by paragraph. */
type Diffs = Record<string, TextDiff>;

/** The texts of a comparison: each is compared once, when somebody first asks. */
function textDiffs(): {
  readonly store: Store<Diffs>;
  ask(entry: MatchedParagraph): Promise<void>;
} {
  const store = createStore<Diffs>({});
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

const differs = ({ type, identical, before, after }: MatchedParagraph): boolean =>
  type !== 'compared' ||
  !identical ||
  settingChanges(before, after).length > 0 ||
  outputChanges(before, after).length > 0;

/** The comparator: two revisions of the note, paragraph by paragraph. */
export default function ComparePanel({ view }: PanelProps) {
  const revisions = useViewState(view, (state) => state.revisions) ?? none;
  const [chosen, setChosen] = useState<{ first: string; second: string }>({
    first: '',
    second: '',
  });
  const [comparison, setComparison] = useState<Comparison>();
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [selected, setSelected] = useState<string>();
  const main = useRef<HTMLDivElement>(null);
  const diffs = useMemo(textDiffs, [comparison]);
  useEffect(() => void view.act(() => reloadRevisions(view)), [view]);

  const { first, second } = chosen;
  useEffect(() => {
    if (first === '' || second === '' || first === second) {
      setComparison(undefined);
      return undefined;
    }
    const stop = new AbortController();
    setBusy(true);
    void view
      .act(async () => {
        const notes = await view.note.revisions.compare(first, second, { signal: stop.signal });
        const list = view.state.get().revisions ?? none;
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
  }, [view, first, second, attempt]);

  const changed = useMemo(() => new Set(comparison?.paragraphs.filter(differs)), [comparison]);
  // The counts of the list: one text after the other, and the page between them.
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
  /** A revision against the one before it; the oldest has none. */
  const chooseRow = (index: number) => {
    const [now, before] = [revisions[index], revisions[index + 1]];
    if (!now || !before) return;
    if (now.id === '' || before.id === '') return view.fail(t.problem);
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
  /** The next or previous place of changes, seen from a card; each goes on from where the last one went. */
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

  const again = () => setAttempt((before) => before + 1);
  const restore = useCallback(
    (entry: MatchedParagraph): MenuEntry[] => {
      if (!comparison || !view.editable) return [];
      return (['first', 'second'] as const).flatMap((side) => {
        const version = side === 'first' ? entry.before : entry.after;
        const { [side]: revision, notes } = comparison;
        if (
          !version ||
          revision.id === HEAD ||
          (side === 'second' && entry.before && !differs(entry))
        )
          return [];
        const index = (notes[side].paragraphs ?? []).findIndex(({ id }) => id === version.id);
        const name = nameOf(revision);
        return [
          {
            label: fill(t.restoreAs, { name }),
            icon: ArchiveRestore,
            onSelect: () =>
              void restoreParagraph(view, version, index, name).then((done) => done && again()),
          },
        ];
      });
    },
    [comparison, view],
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
            label={t.first}
            value={first}
            revisions={revisions}
            onChoose={(id) => choose({ first: id, second: id === '' ? '' : second })}
          />
          <span className="compare-with">{t.compareWith}</span>
          <Choice
            label={t.second}
            value={second}
            revisions={revisions}
            disabled={first === ''}
            onChoose={(id) => choose({ first, second: id })}
          />
        </div>
        <div className="compare-list" role="status">
          {busy ? (
            <p className="hint">{text.loading}</p>
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
        <Revisions
          view={view}
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
              <Card
                key={`${entry.type} ${entry.paragraph.id}`}
                entry={entry}
                diffs={diffs}
                first={nameOf(comparison.first)}
                second={nameOf(comparison.second)}
                restore={restore}
                onStep={step}
              />
            ))
          : null}
      </div>
    </div>
  );
}

function summary(
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

interface ChoiceProps {
  label: string;
  value: string;
  revisions: readonly Revision[];
  disabled?: boolean;
  onChoose: (id: string) => void;
}

function Choice({ label, value, revisions, disabled = false, onChoose }: ChoiceProps) {
  const names = new Map<string, number>();
  for (const one of revisions) names.set(nameOf(one), (names.get(nameOf(one)) ?? 0) + 1);
  return (
    <select
      className="select"
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{t.choose}</option>
      {revisions
        .filter(({ id }) => id !== '')
        .map((one) => (
          <option key={one.id} value={one.id}>
            {names.get(nameOf(one)) === 1 || one.time === undefined
              ? nameOf(one)
              : `${nameOf(one)}, ${dateOf(one, EXACT_DATE)}`}
          </option>
        ))}
    </select>
  );
}

interface EntryProps {
  entry: MatchedParagraph;
  diffs: Store<Diffs>;
  selected: boolean;
  onSelect: (id: string) => void;
}

function ListEntry({ entry, diffs, selected, onSelect }: EntryProps) {
  const { id, title } = entry.paragraph;
  const diff = useStore(diffs, (all) => all[id]);
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
        className={selected ? 'compare-entry selected' : 'compare-entry'}
        aria-current={selected || undefined}
        title={`${title ? `${id} (${title})` : id}\n${entry.firstLine}`}
        onClick={() => onSelect(id)}
      >
        <span className="compare-name">{titleOf(entry)}</span>
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

function Card({
  diffs,
  ...props
}: Omit<React.ComponentProps<typeof DiffCard>, 'diff' | 'ask'> & {
  diffs: ReturnType<typeof textDiffs>;
}) {
  const diff = useStore(diffs.store, (all) => all[props.entry.paragraph.id]);
  return <DiffCard {...props} diff={diff} ask={diffs.ask} />;
}

interface RevisionsProps {
  view: NoteView;
  revisions: readonly Revision[];
  first: string;
  second: string;
  onChoose: (index: number) => void;
  onChanged: () => void;
}

/** Every revision, newest first; a click compares the one before it with it (specification). */
function Revisions({ view, revisions, first, second, onChoose, onChanged }: RevisionsProps) {
  const entriesOf = (one: Revision): MenuEntry[] => [
    { label: t.open, icon: History, onSelect: () => goToRevision(view, one.id) },
    {
      label: t.setRow,
      icon: ArchiveRestore,
      onSelect: () =>
        void setAsHead(view, one.id, fill(t.confirmSetRow, { name: nameOf(one) })).then((done) => {
          if (!done) return;
          view.say(fill(t.isSet, { name: nameOf(one) }));
          onChanged();
        }),
    },
  ];
  return (
    <table className="compare-revisions" role="table" aria-label={t.list}>
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            {t.name}
          </th>
          <th role="columnheader" scope="col">
            {t.date}
          </th>
          <th role="columnheader" scope="col">
            <span className="visually-hidden">{t.chosen}</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {revisions.map((one, index) => {
          const mark =
            one.id === '' ? undefined : one.id === second ? 2 : one.id === first ? 1 : undefined;
          return (
            <tr key={`${one.id} ${index}`} role="row" className={mark ? 'on' : undefined}>
              <td role="cell">
                <button
                  type="button"
                  className="compare-row"
                  disabled={index === revisions.length - 1}
                  title={fill(t.compareRow, { name: nameOf(one) })}
                  onClick={() => onChoose(index)}
                >
                  {nameOf(one)}
                </button>
              </td>
              <td role="cell" className="revision-date">
                {one.id === HEAD ? t.headHint : dateOf(one, EXACT_DATE)}
              </td>
              <td role="cell" className="compare-mark">
                {mark ? (
                  <span className="compare-badge">
                    <span aria-hidden="true">{mark}</span>
                    <span className="visually-hidden">{mark === 1 ? t.isFirst : t.isSecond}</span>
                  </span>
                ) : null}
                {one.id === HEAD || one.id === '' ? null : (
                  <MenuButton
                    size="sm"
                    icon={Ellipsis}
                    label={fill(t.rowMenu, { name: nameOf(one) })}
                    entries={() => entriesOf(one)}
                  />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
