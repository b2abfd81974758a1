import { HEAD_REVISION_ID } from '@tiding/client';
import { GitCommitHorizontal, GitCompare, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { CloseAction, ContentDialog } from '../../ui/dialogs.tsx';
import { onSubmit } from '../../ui/fields/form-events.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import {
  commit,
  currentName,
  goToRevision,
  LIST_DATE,
  reloadRevisions,
  revisionDate,
  revisionName,
  setAsHead,
} from './revisions.ts';
import { revisionTexts as t } from './texts.ts';

/** Number of revisions listed at once. */
const PAGE = 100;

interface VersionControlProps {
  onClose: () => void;
}

/** Commands and list of revisions: commit, set as head, compare, open. */
export function VersionControl({ onClose }: VersionControlProps) {
  const ui = useNoteUi();
  const revisions = useViewStore(ui.revisions, (state) => state.list) ?? [];
  const message = useViewStore(ui.revisions, (state) => state.message);
  const [shown, setShown] = useState(PAGE);
  const { revision } = ui.note;
  const mayNotChange = useWhyNot(ui, 'writer');
  useEffect(() => {
    void reloadRevisions(ui).catch(() => {});
  }, [ui]);
  return (
    <div className="version-control">
      {ui.layout.editable ? (
        <form className="commit" onSubmit={onSubmit(() => commit(ui))}>
          <span className="input">
            <input
              aria-label={t.message}
              placeholder={t.message}
              value={message}
              disabled={mayNotChange !== undefined}
              autoComplete="off"
              onChange={(event) => ui.revisions.set({ message: event.target.value })}
              onKeyDown={(event) => event.stopPropagation()}
            />
          </span>
          <Button
            kind="secondary"
            icon={GitCommitHorizontal}
            type="submit"
            disabled={message.trim() === ''}
            disabledReason={mayNotChange}
          >
            {t.commit}
          </Button>
        </form>
      ) : null}
      <div className="version-actions">
        {revision === undefined ? null : (
          <Button
            kind="secondary"
            icon={History}
            disabledReason={mayNotChange}
            onClick={() => {
              onClose();
              void setAsHead(ui, revision, t.confirmSet).then(
                (done) => done && goToRevision(ui, HEAD_REVISION_ID),
              );
            }}
          >
            {t.set}
          </Button>
        )}
        <Button
          icon={GitCompare}
          onClick={() => {
            onClose();
            void ui.panels.show('compare');
          }}
        >
          {t.compare}
        </Button>
      </div>
      <ul className="revision-list" aria-label={t.list}>
        {revisions.slice(0, shown).map((one, index) => (
          <li key={`${one.id} ${index}`}>
            <button
              type="button"
              className="menu-item"
              aria-current={one.id === (revision ?? HEAD_REVISION_ID) || undefined}
              onClick={() => {
                onClose();
                goToRevision(ui, one.id);
              }}
            >
              <b className="truncate">{revisionName(one)}</b>
              <span className="revision-date small-text dim">
                {one.id === HEAD_REVISION_ID ? t.headHint : revisionDate(one, LIST_DATE)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {revisions.length > shown ? (
        <Button size="sm" onClick={() => setShown(shown + PAGE)}>
          {fill(t.more, { count: Math.min(PAGE, revisions.length - shown) })}
        </Button>
      ) : null}
      {revisions.length <= 1 ? <p className="hint">{t.none}</p> : null}
    </div>
  );
}

/** The same content as a dialog, for the narrow bar and the command palette. */
export function VersionControlDialog({ onClose }: VersionControlProps) {
  const ui = useNoteUi();
  return (
    <ContentDialog title={t.title} size="small" onClose={onClose}>
      <p className="hint revision-now in-row">
        <Icon of={History} size="sm" />
        {fill(t.label, { revision: currentName(ui) })}
      </p>
      <VersionControl onClose={onClose} />
      <CloseAction onClose={onClose} />
    </ContentDialog>
  );
}
