import { GitCommitHorizontal, GitCompare, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { HEAD } from 'tiding/client';
import { fill, text } from '../../text/en.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { PlainDialog } from '../../ui/dialogs.tsx';
import { useViewState, type NoteView } from '../view.tsx';
import {
  commit,
  currentName,
  dateOf,
  goToRevision,
  LIST_DATE,
  nameOf,
  reloadRevisions,
  setAsHead,
} from './revisions.ts';

const t = text.revisions;
/** As many are listed at once. */
const PAGE = 100;

interface VersionControlProps {
  view: NoteView;
  onClose: () => void;
}

/** Commit, set, compare, and the list of revisions. */
export function VersionControl({ view, onClose }: VersionControlProps) {
  const revisions = useViewState(view, (state) => state.revisions) ?? [];
  const message = useViewState(view, (state) => state.commitMessage);
  const [shown, setShown] = useState(PAGE);
  const { revision } = view.note;
  useEffect(() => void reloadRevisions(view).catch(() => {}), [view]);
  return (
    <div className="version-control">
      {view.editable ? (
        <form
          className="commit"
          onSubmit={(event) => {
            event.preventDefault();
            void commit(view);
          }}
        >
          <span className="input">
            <input
              aria-label={t.message}
              placeholder={t.message}
              value={message}
              autoComplete="off"
              onChange={(event) => view.state.set({ commitMessage: event.target.value })}
              onKeyDown={(event) => event.stopPropagation()}
            />
          </span>
          <Button
            kind="secondary"
            icon={GitCommitHorizontal}
            type="submit"
            disabled={message.trim() === ''}
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
            onClick={() => {
              onClose();
              void setAsHead(view, revision, t.confirmSet).then(
                (done) => done && goToRevision(view, HEAD),
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
            if (view.state.get().panel !== 'compare') void view.toggle('compare');
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
              aria-current={one.id === (revision ?? HEAD) || undefined}
              onClick={() => {
                onClose();
                goToRevision(view, one.id);
              }}
            >
              <b>{nameOf(one)}</b>
              <span className="revision-date">
                {one.id === HEAD ? t.headHint : dateOf(one, LIST_DATE)}
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

/** The same as a dialog: in a narrow bar, and from the palette. */
export function VersionControlDialog({ view, onClose }: VersionControlProps) {
  return (
    <PlainDialog title={t.title} size="small" onClose={onClose}>
      <p className="hint revision-now">
        <Icon of={History} size="sm" />
        {fill(t.label, { revision: currentName(view) })}
      </p>
      <VersionControl view={view} onClose={onClose} />
      <div className="dialog-actions">
        <Button kind="secondary" onClick={onClose}>
          {text.close}
        </Button>
      </div>
    </PlainDialog>
  );
}
