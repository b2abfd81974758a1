import type { Client, NoteEntry } from '@tiding/client';
import { isTrashed, noteTitle } from '@tiding/client/model';
import { History, Plus, Upload } from 'lucide-react';
import { createElement, useEffect, useState } from 'react';
import { appUrl } from '../runtime/app-url.ts';
import { clientView } from '../runtime/client-view.tsx';
import { emitEvent } from '../runtime/define-element.ts';
import { useSelect } from '../runtime/hooks.ts';
import { noteListTexts } from '../text/pages/note-list.ts';
import { Button, Icon } from '../ui/button.tsx';
import { Page, pageSheet } from '../ui/page.tsx';
import sheet from './home.css';
import { NoteDialogs } from './note-dialogs.tsx';
import { NoteList, noteListSheets } from './note-list-view.tsx';
import { recentNotes } from './recent.ts';

function Home({ client, host }: { client: Client; host: HTMLElement }) {
  const [dialog, setDialog] = useState<'create' | 'import'>();
  const notes = useSelect(client, (state) => state.notes, undefined);
  const homeNote = useHomeNote(client);
  const page = appUrl(client);
  const href = (id: string) => `${page}#/notebook/${id}`;
  const onOpen = (noteId: string) => emitEvent(host, 'tiding-open-note', { noteId });
  const show = (id: string) => {
    if (onOpen(id)) location.assign(href(id));
  };
  const close = (id: string | undefined) => {
    setDialog(undefined);
    if (id !== undefined) show(id);
  };
  return (
    <Page
      title={noteListTexts.title}
      actions={
        <>
          <Button kind="secondary" icon={Upload} onClick={() => setDialog('import')}>
            {noteListTexts.import}
          </Button>
          <Button kind="primary" icon={Plus} onClick={() => setDialog('create')}>
            {noteListTexts.newNote}
          </Button>
        </>
      }
    >
      <div className="home-grid">
        <NoteList client={client} href={href} onOpen={onOpen} />
        {homeNote === undefined ? (
          <Recent client={client} notes={notes ?? []} href={href} onOpen={onOpen} />
        ) : (
          <HomeNote client={client} note={homeNote} />
        )}
      </div>
      <NoteDialogs client={client} which={dialog} onClose={close} />
    </Page>
  );
}

/**
 * Id of the note that the server shows on the home page; `undefined` if there is none or this user
 * may not read it.
 */
function useHomeNote(client: Client): string | undefined {
  const [id, setId] = useState<string>();
  useEffect(() => {
    let gone = false;
    client.notes.home().then(
      (note) => !gone && setId(note?.id),
      () => {},
    );
    return () => void (gone = true);
  }, [client]);
  return id;
}

/** The home note, read-only in the report layout. */
function HomeNote({ client, note }: { client: Client; note: string }) {
  return (
    <div className="home-note">
      {createElement('tiding-notebook', {
        note,
        look: 'report',
        bare: true,
        ref: (element: (HTMLElement & { client?: Client }) | null) => {
          if (element && element.client !== client) element.client = client;
        },
      })}
    </div>
  );
}

interface RecentProps {
  client: Client;
  notes: readonly NoteEntry[];
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
}

/**
 * The notes opened most recently in this browser. Before the first one: the notes of the samples
 * folder, or the first notes of the list.
 */
function Recent({ client, notes, href, onOpen }: RecentProps) {
  const live = notes.filter((note) => !isTrashed(note.path));
  const opened = recentNotes(client).flatMap((id) => live.find((note) => note.id === id) ?? []);
  const cards = (opened.length > 0 ? opened : live).slice(0, 3);
  if (cards.length === 0) return <div />;
  return (
    <div className="home-side">
      <h2 className="section-head">
        <Icon of={History} size="sm" />
        {opened.length > 0 ? noteListTexts.recent : noteListTexts.title}
      </h2>
      <ul className="recent">
        {cards.map(({ id, path }) => (
          <li key={id}>
            <a
              className="recent-card"
              href={href(id)}
              onClick={(event) =>
                !event.ctrlKey && !event.metaKey && !onOpen(id) && event.preventDefault()
              }
            >
              <b>{noteTitle({ id, name: path })}</b>
              <span>{path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '\u00a0'}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

export default clientView(Home);

export const sheets = [pageSheet, ...noteListSheets, sheet];
