import { useState } from 'react';
import { NoteList } from '../notes/note-list.tsx';
import { text } from '../text/en.ts';
import { Outline } from './outline/outline.tsx';
import type { NoteView } from './view.tsx';

interface SideProps {
  view: NoteView;
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
  onShow: (paragraphId: string) => void;
}

/** The left panel of a note: the other notes, and what stands in this one. */
export function SidePanel({ view, href, onOpen, onShow }: SideProps) {
  const [tab, setTab] = useState<'notes' | 'outline'>('notes');
  const tabs = [
    ['notes', text.note.notes],
    ['outline', text.note.outline],
  ] as const;
  return (
    <aside className="side" aria-label={text.note.panel}>
      <div className="tabs" role="tablist">
        {tabs.map(([id, label]) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={tab === id}
            aria-controls="side-body"
            tabIndex={tab === id ? 0 : -1}
            onClick={() => setTab(id)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
              setTab(id === 'notes' ? 'outline' : 'notes');
              const other =
                event.currentTarget.nextElementSibling ??
                event.currentTarget.previousElementSibling;
              (other as HTMLElement | null)?.focus();
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="side-body" id="side-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'notes' ? (
          <NoteList
            client={view.client}
            current={view.note.noteId}
            href={href}
            onOpen={onOpen}
            plain
          />
        ) : (
          <Outline view={view} onShow={onShow} />
        )}
      </div>
    </aside>
  );
}
