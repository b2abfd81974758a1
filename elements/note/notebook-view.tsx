import type { Client, Note } from '@tiding/client';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { editorSheets } from '../editor/index.ts';
import { noteListSheets } from '../note-list/note-list-view.tsx';
import { rememberNote } from '../note-list/recent.ts';
import { useSpellsOfOthers } from '../result/packages/use-spells.ts';
import { appUrl } from '../runtime/app-url.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, type ServerMessage, useHostNote } from '../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { emitShown } from '../runtime/snapshots/first-view.ts';
import { useViewStore } from '../runtime/store.ts';
import { commonTexts } from '../text/common.ts';
import { useToasts } from '../ui/toasts.tsx';
import { AddBar } from './add-bar.tsx';
import { Announcements } from './announcements.tsx';
import autoHideSheet from './bar/auto-hide.css';
import barSheet from './bar/note-bar.css';
import { NoteBar } from './bar/note-bar.tsx';
import dragSheet from './drag/drag.css';
import { DragLayer } from './drag/drag-layer.tsx';
import fileDropSheet from './files/file-drop.css';
import { FileDrop } from './files/file-drop.tsx';
import findSheet from './find/find.css';
import { FindSlot } from './find/find-slot.tsx';
import { NoteForms } from './forms/note-forms.tsx';
import looksSheet from './looks.css';
import sheet from './notebook.css';
import { OpenDialog } from './open-dialog.tsx';
import { PageEffects } from './page-effects.tsx';
import { useAddedParagraph, useBindings, useCreatedNote, useShortcuts } from './page-hooks.ts';
import { LeftPanel, NoteArea, RightPanel } from './panels/panel-frames.tsx';
import panelSheet from './panels/panels.css';
import type { Look } from './paragraph/look.ts';
import { NotePlaceholder, paragraphSheets } from './paragraph/paragraph-view.tsx';
import { ParagraphList } from './paragraph-list.tsx';
import printSheet from './print.css';
import revisionSheet from './revisions/revisions.css';
import { createNoteUi, lockedOf, NoteUiContext, useNoteState } from './ui/note-ui.ts';
import { useRights } from './ui/use-rights.ts';

const none: readonly string[] = [];

interface NotebookValues {
  note?: string;
  revision?: string;
  look?: Look;
  paragraph?: string;
  term?: string;
  bare?: boolean;
  locked?: unknown;
  server?: string;
}

export default function NotebookView(props: ViewProps) {
  const client = useHostClient(props);
  const values = props.values as NotebookValues;
  const { note: noteId, revision, bare, server } = values;
  const { note, error, retry, early } = useHostNote(props.host, client, noteId, {
    revision,
    inPieces: true,
  });
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (error && noteId)
      setAsks(
        emitEvent(props.host, 'tiding-note-missing', {
          noteId,
          ...(revision === undefined ? {} : { revisionId: revision }),
          ...error,
        }),
      );
  }, [error, noteId, revision, props.host]);
  if (!noteId) return <p className="element-message">{commonTexts.noNote}</p>;
  if (!client || !note)
    return (
      <div className="note-area">
        <NotePlaceholder
          host={props.host}
          noteId={noteId}
          whole
          asks={asks && !bare}
          {...{ client, server, error, onRetry: retry }}
        />
      </div>
    );
  return (
    <HostContext value={props.host}>
      <Notebook key={note.id} {...{ client, note, early, values }} host={props.host} />
    </HostContext>
  );
}

const ReportTimes = lazyCode(() => import('./report-times.tsx'));

interface NotebookProps {
  client: Client;
  note: Note;
  host: HTMLElement;
  early: ServerMessage[];
  values: NotebookValues;
}

function Notebook({ client, note, host, early, values }: NotebookProps) {
  const { look: fixedLook, paragraph: target, term, bare = false, locked } = values;
  const [toast, toasts] = useToasts(3_000, 'center');
  const ui = useMemo(
    () => createNoteUi(client, note, host, { toast }),
    [client, note, host, toast],
  );
  const order = useNoteState(ui, (now) => now?.order ?? none);
  const storedLook = useNoteState(ui, (now) => now?.config.looknfeel as Look | undefined);
  const path = useNoteState(ui, (now) => now?.path ?? '');
  const ownLook = useViewStore(ui.layout.state, (state) => state.ownLook);
  const look = fixedLook ?? ownLook ?? storedLook ?? 'default';
  // Commands read the layout too, so it must be set before the user can press a key.
  if (ui.layout.look !== look) ui.layout.state.set({ look });
  useEffect(() => {
    ui.locked.set({ values: lockedOf(locked) });
  }, [ui, locked]);

  useEffect(() => {
    rememberNote(client, note.noteId);
    return emitShown(host, { noteId: note.noteId });
  }, [client, note, host]);
  useEffect(() => {
    void emitEvent(host, 'tiding-note-path', { noteId: note.noteId, path });
  }, [host, note, path]);
  useRights(ui);
  useShortcuts(ui);
  useAddedParagraph(ui, order);
  useCreatedNote(ui);
  // A link to a paragraph scrolls to it after one second, when results have their final heights
  // (specification).
  useEffect(() => {
    if (target === undefined) return undefined;
    const timer = setTimeout(() => ui.focus.scrollTo(target), 1_000);
    return () => clearTimeout(timer);
  }, [target, ui]);

  useEffect(() => {
    if (term !== undefined && term !== '') ui.find.openWith(term, target);
  }, [term, target, ui]);

  // A layout effect, because it must run while the note is still open.
  useLayoutEffect(() => () => ui.pendingInput.deliver(ui.focus.id), [ui]);
  useBindings(ui, bare);
  useSpellsOfOthers(client, note);

  const page = appUrl(client);
  return (
    <NoteUiContext value={ui}>
      <div className={`notebook ${look}`}>
        {bare ? null : <NoteBar />}
        <FindSlot />
        <div className="note-layout">
          {bare ? null : <LeftPanel href={(id) => `${page}#/notebook/${id}`} />}
          <NoteArea label={path}>
            <NoteForms />
            {look === 'report' ? (
              <p className="report-times small-text dim">
                <CodeBoundary>
                  <ReportTimes />
                </CodeBoundary>
              </p>
            ) : null}
            <div className="grid12">
              <ParagraphList look={look} />
              {look === 'report' || note.revision !== undefined ? null : <AddBar />}
            </div>
          </NoteArea>
          {bare ? null : <RightPanel />}
        </div>
        <DragLayer />
        <FileDrop />
        <Announcements />
        <OpenDialog />
        <PageEffects early={early} />
        {toasts}
      </div>
    </NoteUiContext>
  );
}

export const sheets = [
  ...paragraphSheets,
  ...editorSheets,
  ...noteListSheets,
  barSheet,
  panelSheet,
  sheet,
  looksSheet,
  revisionSheet,
  findSheet,
  dragSheet,
  fileDropSheet,
  autoHideSheet,
  printSheet,
];
