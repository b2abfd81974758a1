import { type KeyboardEvent, type RefObject, useState } from 'react';
import { NoteList } from '../note-list/note-list-view.tsx';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { noteTexts } from '../text/note-texts.ts';
import { chooseTab } from '../ui/choice-keys.ts';
import { useNoteUi } from './ui/note-ui.ts';

const NoteOutline = lazyCode(() => import('./outline/outline.tsx'));

interface SideProps {
  root: RefObject<HTMLElement | null>;
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
  onShow: (paragraphId: string) => void;
  inert: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Left panel of a note: the list of notes, and the outline of this one. */
export function SidePanel({ root, href, onOpen, onShow, inert, onKeyDown }: SideProps) {
  const ui = useNoteUi();
  const [tab, setTab] = useState<'notes' | 'outline'>('notes');
  const tabs = [
    ['notes', noteTexts.notes],
    ['outline', noteTexts.outline],
  ] as const;
  return (
    <aside
      ref={root}
      className="side"
      aria-label={noteTexts.panel}
      inert={inert}
      onKeyDown={onKeyDown}
    >
      <div
        className="tabs"
        role="tablist"
        onKeyDown={(event) =>
          chooseTab(event, tab === 'notes' ? 0 : 1, tabs.length, (at) => setTab(tabs[at]![0]))
        }
      >
        {tabs.map(([id, label]) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            className="bare"
            aria-selected={tab === id}
            aria-controls="side-body"
            tabIndex={tab === id ? 0 : -1}
            onClick={() => setTab(id)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="side-body" id="side-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'notes' ? (
          <NoteList client={ui.client} current={ui.note.noteId} href={href} onOpen={onOpen} plain />
        ) : (
          <CodeBoundary>
            <NoteOutline onShow={onShow} />
          </CodeBoundary>
        )}
      </div>
    </aside>
  );
}
