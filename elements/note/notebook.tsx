import { Plus } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isTidingError, type Client, type Note } from 'tiding/client';
import { isTrashed, nextCloneName } from 'tiding/model';
import { noteListSheets, pageOf } from '../notes/note-list.tsx';
import { rememberNote } from '../notes/recent.ts';
import { ParagraphCard, type Look } from '../paragraph/paragraph-card.tsx';
import { NotePlaceholder, paragraphSheets } from '../paragraph/paragraph.tsx';
import { commonProperties, tell, type ElementSpec, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, useClient, useEvent, useNote, useSelect } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { NoteBar, type NoteCommands } from './note-bar.tsx';
import sheet from './notebook.css';
import { SidePanel } from './side.tsx';

const ConfirmDialog = lazy(() => import('../ui/dialogs.tsx').then((module) => ({ default: module.ConfirmDialog })));
const NameDialog = lazy(() => import('../notes/name-dialog.tsx').then((module) => ({ default: module.NameDialog })));

/** Interpreters offered beside 'Add paragraph'. */
const quickMagics = ['sql', 'python', 'md', 'js'];
const none: readonly string[] = [];

function NotebookView(props: ViewProps) {
  const client = useClient(props);
  const { note: noteId, look, paragraph, bare, server } = props.values as { note?: string; look?: Look; paragraph?: string; bare?: boolean; server?: string };
  const { note, error, retry } = useNote(client, noteId);
  useEffect(() => {
    if (error) tell(props.host, 'tiding-note-missing', { noteId, ...error });
  }, [error, noteId, props.host]);
  if (!noteId) return <p className="element-message">{text.noNote}</p>;
  if (!client || !note) return <div className="note-area"><NotePlaceholder client={client} server={server} error={error} onRetry={retry} /></div>;
  return (
    <HostContext value={props.host}>
      <Notebook key={note.id} client={client} note={note} host={props.host} look={look} target={paragraph} bare={bare === true} />
    </HostContext>
  );
}

interface NotebookProps {
  client: Client;
  note: Note;
  host: HTMLElement;
  look?: Look | undefined;
  target?: string | undefined;
  bare: boolean;
}

interface Asked {
  title: string;
  text?: string;
  action: string;
  danger?: boolean;
  act: () => PromiseLike<unknown> | void;
}

function Notebook({ client, note, host, look: fixedLook, target, bare }: NotebookProps) {
  const order = useSelect(client, (state) => state.open[note.id]?.order ?? none, none);
  const storedLook = useSelect(client, (state) => state.open[note.id]?.config.looknfeel, undefined) as Look | undefined;
  const online = useSelect(client, (state) => state.open[note.id]?.connection === 'open', false);
  const path = useSelect(client, (state) => state.open[note.id]?.path ?? '', '');
  const look = fixedLook ?? storedLook ?? 'default';
  const [panel, setPanel] = useState(() => window.innerWidth >= 1100);
  const [focused, setFocused] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const [cloning, setCloning] = useState(false);
  const [toast, toasts] = useToasts(3_000, 'center');
  const area = useRef<HTMLElement>(null);
  const fail = useEvent((message: string) => {
    if (tell(host, 'tiding-error', { message })) toast('danger', message);
  });

  useEffect(() => {
    rememberNote(client, note.id);
    tell(host, 'tiding-ready', { noteId: note.id });
  }, [client, note, host]);
  useEffect(() => void tell(host, 'tiding-note-path', { noteId: note.id, path }), [host, note, path]);
  useLeaveWarning(note);
  const show = useEvent((id: string) => {
    setFocused(id);
    area.current?.querySelector(`[data-paragraph="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  });
  // A link to a paragraph scrolls to it after a second, when results have their heights (specification).
  useEffect(() => {
    if (target === undefined) return undefined;
    const timer = setTimeout(() => show(target), 1_000);
    return () => clearTimeout(timer);
  }, [target, show]);
  const added = useAdded(order);
  // A paragraph that was just added comes into view after 500 ms (specification's client).
  useEffect(() => {
    if (added === undefined) return undefined;
    const timer = setTimeout(() => area.current?.querySelector(`[data-paragraph="${CSS.escape(added)}"]`)?.scrollIntoView({ block: 'nearest' }), 500);
    return () => clearTimeout(timer);
  }, [added]);

  const act = useEvent((work: () => PromiseLike<unknown> | void) => {
    void (async () => {
      try {
        await work();
      } catch (error) {
        if (!isTidingError(error, 'closed')) fail(isTidingError(error) ? error.message : String(error));
      }
    })();
  });
  const configureAll = (change: Record<string, boolean>) => () => Promise.all(note.paragraphs.map((paragraph) => paragraph.configure(change)));
  const goHome = () => tell(host, 'tiding-note-left', { noteId: note.id });
  const page = pageOf(client);
  const href = (id: string) => `${page}#/notebook/${id}`;
  const open = (id: string) => {
    if (tell(host, 'tiding-open-note', { noteId: id })) location.assign(href(id));
  };
  const commands: NoteCommands = useMemo(() => ({
    runAll: () => setAsked({ title: text.note.confirmRun, action: text.note.run, act: () => note.run() }),
    stopAll: () => act(() => note.stop()),
    rename: (name) => act(() => note.rename(name)),
    toggleCode: (hide) => act(configureAll({ editorHide: hide })),
    toggleOutput: (hide) => act(configureAll({ tableHide: hide })),
    clear: () => setAsked({ title: text.note.confirmClear, action: text.note.clearAction, act: () => note.clear() }),
    clone: () => setCloning(true),
    export: () => act(() => exportNote(client, note)),
    trash: () => setAsked(isTrashed(note.path)
      ? { title: text.list.confirmRemoveNote, text: text.list.cannotUndo, action: text.list.remove, danger: true, act: () => client.notes.remove(note.id).then(goHome) }
      : { title: text.list.confirmTrashNote, action: text.list.move, act: () => client.notes.trash(note.id).then(goHome) }),
    look: (name) => act(() => note.configure({ looknfeel: name })),
    show,
  }), [client, note]);
  const onRemove = useCallback((id: string) => {
    setAsked(note.state.order.length > 1
      ? { title: text.paragraph.confirmRemove, action: text.paragraph.remove, danger: true, act: () => note.paragraph(id).remove() }
      : { title: text.paragraph.lastRemains, action: text.close, act: () => {} });
  }, [note]);
  const onLink = useCallback((id: string) => {
    window.open(`${client.server}/#/notebook/${note.id}/paragraph/${id}?asIframe`, '_blank', 'noopener,noreferrer');
  }, [client, note]);
  const onEdge = useCallback((id: string, edge: 'up' | 'down') => {
    const next = note.state.order[note.state.order.indexOf(id) + (edge === 'up' ? -1 : 1)];
    const editor = next === undefined ? null : area.current?.querySelector<HTMLElement>(`[data-paragraph="${CSS.escape(next)}"] [role=textbox], [data-paragraph="${CSS.escape(next)}"] .cm-content`);
    editor?.focus();
  }, [note]);

  return (
    <div className={`notebook ${look}`}>
      {bare ? null : <NoteBar client={client} noteId={note.id} commands={commands} panel={panel} onPanel={() => setPanel(!panel)} />}
      <div className="note-layout">
        {panel && !bare ? <SidePanel client={client} noteId={note.id} href={href} onOpen={(id) => tell(host, 'tiding-open-note', { noteId: id })} onShow={(id) => {
          if (window.innerWidth < 940) setPanel(false);
          show(id);
        }} /> : null}
        <section className="note-area" aria-label={path} ref={area}>
          <div className="grid12">
            {order.map((id, index) => (
              <Cell key={id} client={client} noteId={note.id} id={id} index={index} canInsert={look === 'default' || look === 'simple'} onInsert={() => act(() => note.insert({ index }))}>
                <ParagraphCard
                  client={client} note={note} id={id} look={look} online={online} index={index} count={order.length}
                  focused={focused === id} autoFocus={added === id} fail={fail} onRemove={onRemove} onLink={onLink} onFocus={setFocused} onEdge={onEdge}
                />
              </Cell>
            ))}
            {look === 'report' ? null : (
              <div className="add-bar">
                <Button icon={Plus} onClick={() => act(() => note.insert())}>{text.note.add}</Button>
                <span className="separator" />
                {quickMagics.map((magic) => (
                  <Button key={magic} size="sm" onClick={() => act(() => note.insert({ text: `%${magic}\n` }))}>{magic}</Button>
                ))}
              </div>
            )}
          </div>
        </section>
      </div>
      <Suspense fallback={null}>
        {asked ? (
          <ConfirmDialog
            title={asked.title} text={asked.text} action={asked.action} cancel={text.cancel} danger={asked.danger}
            onClose={(confirmed) => {
              setAsked(undefined);
              if (confirmed) act(asked.act);
            }}
          />
        ) : null}
        {cloning ? (
          <NameDialog
            title={text.clone.title} action={text.clone.action} value={nextCloneName(note.path, client.state.notes?.map((entry) => entry.path) ?? [])}
            onClose={(name) => {
              setCloning(false);
              if (name) act(async () => open(await client.notes.clone(note.id, name)));
            }}
          />
        ) : null}
      </Suspense>
      {toasts}
    </div>
  );
}

interface CellProps {
  client: Client;
  noteId: string;
  id: string;
  index: number;
  canInsert: boolean;
  onInsert: () => void;
  children: React.ReactNode;
}

/** A place of the 12-column grid, with the line above it that inserts. */
function Cell({ client, noteId, id, canInsert, onInsert, children }: CellProps) {
  const width = useSelect(client, (state) => state.open[noteId]?.paragraphs[id]?.server.config?.colWidth ?? 12, 12);
  const hidden = useSelect(client, (state) => state.open[noteId]?.paragraphs[id] === undefined, false);
  if (hidden) return null;
  return (
    <div className="cell" style={{ gridColumnEnd: `span ${Math.min(12, Math.max(1, Math.round(width)))}` }}>
      {canInsert ? (
        <div className="insert">
          <Button size="sm" kind="secondary" onClick={onInsert}><Icon of={Plus} size="sm" />{text.note.add}</Button>
        </div>
      ) : null}
      {children}
    </div>
  );
}

/** The paragraph that was added last while the note was open: its editor takes the focus. */
function useAdded(order: readonly string[]): string | undefined {
  const known = useRef<readonly string[]>(order);
  const [added, setAdded] = useState<string>();
  useEffect(() => {
    const fresh = order.filter((id) => !known.current.includes(id));
    if (known.current.length > 0 && fresh.length === 1 && document.hasFocus()) setAdded(fresh[0]);
    known.current = order;
  }, [order]);
  return added;
}

/** Leaving the page while text is unsaved asks first; the text is in the journal in any case. */
function useLeaveWarning(note: Note): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (note.dirty) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => {
      window.removeEventListener('beforeunload', warn);
      // Leaving the note saves what it can; who comes back finds the rest in the journal.
      void note.commit({ timeout: 5_000 }).catch(() => {});
    };
  }, [note]);
}

async function exportNote(client: Client, note: Note): Promise<void> {
  const source = await client.notes.export(note.id);
  const address = URL.createObjectURL(new Blob([source], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${note.path.slice(note.path.lastIndexOf('/') + 1)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** `<tiding-notebook>` */
export const notebook: ElementSpec = {
  tag: 'tiding-notebook',
  doc: 'A whole note: bar, panel, paragraphs.',
  view: NotebookView,
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    paragraph: { kind: 'string', doc: 'Id of the paragraph to scroll to.' },
    look: { kind: 'string', doc: 'default, simple or report; left out: as the note says.' },
    bare: { kind: 'boolean', doc: 'Paragraphs alone, without bar and panel.' },
  },
  events: [
    { name: 'tiding-ready', doc: 'The note is shown; detail {noteId}.' },
    { name: 'tiding-note-path', doc: 'The name of the note is known or changed; detail {noteId, path}.' },
    { name: 'tiding-note-missing', doc: 'The note cannot be opened; detail {noteId, code, message}.' },
    { name: 'tiding-note-left', doc: 'The note was trashed or removed; detail {noteId}.' },
    { name: 'tiding-open-note', doc: 'Another note was chosen; detail {noteId}. Prevent it to keep the page.' },
    { name: 'tiding-error', doc: 'Something failed; detail {message}. Prevent it to show nothing.' },
  ],
  sheets: [...paragraphSheets, ...noteListSheets, sheet],
};
