import type { Client } from '@tiding/client';
import { isTrashed } from '@tiding/client/model';
import { Plus, Upload } from 'lucide-react';
import { createElement, useEffect, useState } from 'react';
import { listenForFiles } from '../note/files/drop-listener.ts';
import fileDropSheet from '../note/files/file-drop.css';
import type { LeftOutFiles } from '../note/files/folder-files.ts';
import { noteCreated } from '../note/ui/created-notes.ts';
import { noteErrorText } from '../note-list/note-error.ts';
import { NoteList, noteListSheets } from '../note-list/note-list-view.tsx';
import { recentNotes } from '../note-list/recent.ts';
import { noteListTexts } from '../note-list/texts.ts';
import { appUrl } from '../runtime/app-url.ts';
import { clientView } from '../runtime/client-view.tsx';
import { emitEvent } from '../runtime/define-element.ts';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { Button, Icon } from '../ui/button.tsx';
import { Page, pageSheet } from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './home.css';
import { RecentNotes, SampleNotes } from './home-recent.tsx';
import { HomeStart } from './home-start.tsx';
import { NoteDialogs } from './note-dialogs.tsx';
import { homeTexts } from './texts.ts';

const filesModule = () => import('./home-files.ts');
/** Number of cards of recent or sample notes. */
const CARDS = 3;
/** Folder of the notes that are installed with a server. */
const SAMPLES = 'Samples/';

/** Files that were dropped or chosen, and what was left out of a folder. */
interface DroppedOnHome {
  readonly notes: readonly File[];
  readonly data: readonly File[];
  readonly leftOut?: LeftOutFiles | undefined;
}

function Home({ client, host }: { client: Client; host: HTMLElement }) {
  const [dialog, setDialog] = useState<'create' | 'import'>();
  const [given, setGiven] = useState<DroppedOnHome>();
  const [isOver, setOver] = useState(false);
  const [toast, toasts] = useToasts();
  const notes = useSelect(client, (state) => state.notes, undefined);
  const homeNote = useHomeNote(client);
  const page = appUrl(client);
  const href = (id: string) => `${page}#/notebook/${id}`;
  const onOpen = (noteId: string) => emitEvent(host, 'tiding-open-note', { noteId });
  const show = (id: string) => {
    if (onOpen(id)) location.assign(href(id));
  };
  const open = (made: Promise<string>) =>
    made.then(show, (error: unknown) => toast('danger', noteErrorText(error)));
  /** Opens a note, which says what was left out of the dropped folder. */
  const openWith = (made: Promise<string>, leftOut: LeftOutFiles | undefined) =>
    open(
      made.then(async (id) => {
        if (leftOut) (await filesModule()).keepLeftOut(id, leftOut);
        return id;
      }),
    );
  const dataNote = async (files: readonly File[]) =>
    (await filesModule()).createDataNote(client, files);
  const report = async (leftOut: LeftOutFiles | undefined) => {
    if (leftOut) (await filesModule()).reportLeftOut(leftOut, (text) => toast('danger', text));
  };
  const close = (id: string | undefined) => {
    setDialog(undefined);
    setGiven(undefined);
    if (given && given.data.length > 0) void openWith(dataNote(given.data), given.leftOut);
    else if (id !== undefined) void openWith(Promise.resolve(id), given?.leftOut);
    else void report(given?.leftOut);
  };
  const onFiles = useEvent(async (files: readonly File[], leftOut?: LeftOutFiles) => {
    if (files.length === 0) return report(leftOut);
    const sorted = await (await filesModule()).sortFiles(client, files);
    if (sorted.notes.length === 0) return void openWith(dataNote(sorted.data), leftOut);
    setGiven({ ...sorted, leftOut });
    setDialog('import');
  });
  useEffect(() => {
    return listenForFiles(host, {
      accepts: () => true,
      takes: async () => (await filesModule()).isTaken,
      onFiles: (files, _place, leftOut) => void onFiles(files, leftOut),
      onOver: setOver,
    });
  }, [host, onFiles]);
  const live = (notes ?? []).filter((note) => !isTrashed(note.path));
  const opened = recentNotes(client).flatMap((id) => live.find((note) => note.id === id) ?? []);
  const cards = { client, href, onOpen };
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
        {homeNote !== undefined ? (
          <HomeNote client={client} note={homeNote} />
        ) : notes === undefined ? null : (
          <div className="home-side">
            <RecentNotes {...cards} notes={opened.slice(0, CARDS)} />
            <HomeStart
              client={client}
              onFiles={(files) => void onFiles(files)}
              onCreate={(path, interpreter) =>
                void open(
                  client.notes
                    .create({ path, interpreter, onConflict: 'number' })
                    .then((id) => (noteCreated(id), id)),
                )
              }
            />
            {opened.length > 0 ? null : (
              <SampleNotes
                {...cards}
                notes={live.filter(({ path }) => path.startsWith(SAMPLES)).slice(0, CARDS)}
              />
            )}
          </div>
        )}
      </div>
      {isOver ? (
        <div className="file-drop target">
          <Icon of={Upload} />
          {homeTexts.drop}
        </div>
      ) : null}
      {toasts}
      <NoteDialogs client={client} which={dialog} files={given?.notes} onClose={close} />
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

export default clientView(Home);

export const sheets = [pageSheet, ...noteListSheets, fileDropSheet, sheet];
