import { useState } from 'react';
import { paragraphText, type Client } from 'tiding/client';
import { splitMagic } from 'tiding/model';
import { NoteList } from '../notes/note-list.tsx';
import { useSelect } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';

interface SideProps {
  client: Client;
  noteId: string;
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
  onShow: (paragraphId: string) => void;
}

/** The left panel of a note: the other notes, and what stands in this one. */
export function SidePanel({ client, noteId, href, onOpen, onShow }: SideProps) {
  const [tab, setTab] = useState<'notes' | 'outline'>('notes');
  const tabs = [['notes', text.note.notes], ['outline', text.note.outline]] as const;
  return (
    <aside className="side" aria-label={text.note.panel}>
      <div className="tabs" role="tablist">
        {tabs.map(([id, label]) => (
          <button
            key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={tab === id} aria-controls="side-body" tabIndex={tab === id ? 0 : -1}
            onClick={() => setTab(id)}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
              setTab(id === 'notes' ? 'outline' : 'notes');
              const other = event.currentTarget.nextElementSibling ?? event.currentTarget.previousElementSibling;
              (other as HTMLElement | null)?.focus();
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="side-body" id="side-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'notes' ? <NoteList client={client} current={noteId} href={href} onOpen={onOpen} plain /> : <Outline client={client} noteId={noteId} onShow={onShow} />}
      </div>
    </aside>
  );
}

/** Titles of paragraphs and headings of markdown, in order. */
function Outline({ client, noteId, onShow }: Pick<SideProps, 'client' | 'noteId' | 'onShow'>) {
  const key = useSelect(client, (state) => {
    const note = state.open[noteId];
    return JSON.stringify((note?.order ?? []).flatMap((id) => {
      const paragraph = note?.paragraphs[id];
      if (!paragraph) return [];
      if (paragraph.server.config?.title && paragraph.server.title) return [[id, 2, paragraph.server.title]];
      const { magic, script } = splitMagic(paragraphText(paragraph));
      if (magic !== 'md') return [];
      return [...script.matchAll(/^(#{1,3})\s+(.+)$/gm)].map((match) => [id, match[1]!.length, match[2]!]);
    }));
  }, '[]');
  const entries = JSON.parse(key) as [string, number, string][];
  if (entries.length === 0) return <p className="hint side-empty">{text.note.emptyOutline}</p>;
  return (
    <ul className="outline">
      {entries.map(([id, level, title], index) => (
        <li key={index}>
          <button type="button" className="tree-item" style={{ paddingInlineStart: `${level * 10}px` }} onClick={() => onShow(id)}><span className="tree-name">{title}</span></button>
        </li>
      ))}
    </ul>
  );
}
