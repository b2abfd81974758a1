import { HEAD_REVISION_ID } from '@tiding/client';
import type { Revision } from '@tiding/client/protocol';
import { ArchiveRestore, Ellipsis, History } from 'lucide-react';
import { fill } from '../../text/fill.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu/menu-button.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { EXACT_DATE, goToRevision, revisionDate, revisionName, setAsHead } from './revisions.ts';
import { revisionTexts as t } from './texts.ts';

interface TableProps {
  revisions: readonly Revision[];
  first: string;
  second: string;
  onChoose: (index: number) => void;
  onChanged: () => void;
}

/**
 * All revisions, newest first. A click compares a revision with the one before it (specification).
 */
export function RevisionTable({ revisions, first, second, onChoose, onChanged }: TableProps) {
  const ui = useNoteUi();
  const entriesOf = (one: Revision): MenuEntry[] => [
    { label: t.open, icon: History, onSelect: () => goToRevision(ui, one.id) },
    {
      label: t.setRow,
      icon: ArchiveRestore,
      onSelect: () =>
        void setAsHead(ui, one.id, fill(t.confirmSetRow, { name: revisionName(one) })).then(
          (done) => {
            if (!done) return;
            ui.messages.success(fill(t.isSet, { name: revisionName(one) }));
            onChanged();
          },
        ),
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
                  className="compare-row truncate bare"
                  disabled={index === revisions.length - 1}
                  title={fill(t.compareRow, { name: revisionName(one) })}
                  onClick={() => onChoose(index)}
                >
                  {revisionName(one)}
                </button>
              </td>
              <td role="cell" className="revision-date small-text dim">
                {one.id === HEAD_REVISION_ID ? t.headHint : revisionDate(one, EXACT_DATE)}
              </td>
              <td role="cell" className="compare-mark in-row">
                {mark ? (
                  <span className="compare-badge">
                    <span aria-hidden="true">{mark}</span>
                    <span className="visually-hidden">{mark === 1 ? t.isFirst : t.isSecond}</span>
                  </span>
                ) : null}
                {one.id === HEAD_REVISION_ID || one.id === '' ? null : (
                  <MenuButton
                    size="sm"
                    icon={Ellipsis}
                    label={fill(t.rowMenu, { name: revisionName(one) })}
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
