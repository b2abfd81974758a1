import { Plus, X } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Client, Note } from 'tiding/client';
import { useDataFiles } from '../editor/data-files.ts';
import { noteListSheets, pageOf } from '../notes/note-list.tsx';
import { rememberNote } from '../notes/recent.ts';
import type { Look } from '../paragraph/look.ts';
import { NotePlaceholder, paragraphSheets } from '../paragraph/paragraph.tsx';
import { useSpellsOfOthers } from '../result/packages/use-spells.ts';
import {
  commonProperties,
  tell,
  type ElementSpec,
  type ViewProps,
} from '../runtime/define-element.ts';
import { HostContext, useClient, useNote, useSelect } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { Announcements } from './announcements.tsx';
import { NoteBar } from './bar/note-bar.tsx';
import { handleKey } from './commands/keyboard.ts';
import awaySheet from './bar/away.css';
import dragSheet from './drag/drag.css';
import { DragLayer } from './drag/drag-layer.tsx';
import findSheet from './find/find.css';
import { FindSlot } from './find/find-slot.tsx';
import looksSheet from './looks.css';
import { Manners } from './manners.tsx';
import sheet from './notebook.css';
import revisionSheet from './revisions/revisions.css';
import { NoteForms } from './forms/note-forms.tsx';
import { panelOf } from './panels/index.ts';
import printSheet from './print.css';
import { ParagraphList } from './paragraph-list.tsx';
import { SidePanel } from './side.tsx';
import { lockedOf, NoteView, useViewState } from './view.tsx';
import { ViewDialog } from './view-dialog.tsx';

/** Interpreters offered beside 'Add paragraph'. */
const quickMagics = ['sql', 'python', 'md', 'js'];
const none: readonly string[] = [];

function NotebookView(props: ViewProps) {
  const client = useClient(props);
  const {
    note: noteId,
    revision,
    look,
    paragraph,
    term,
    bare,
    locked,
    server,
  } = props.values as {
    note?: string;
    revision?: string;
    look?: Look;
    paragraph?: string;
    term?: string;
    bare?: boolean;
    locked?: unknown;
    server?: string;
  };
  const { note, error, retry } = useNote(client, noteId, revision);
  useEffect(() => {
    if (error)
      tell(props.host, 'tiding-note-missing', {
        noteId,
        ...(revision === undefined ? {} : { revisionId: revision }),
        ...error,
      });
  }, [error, noteId, revision, props.host]);
  if (!noteId) return <p className="element-message">{text.noNote}</p>;
  if (!client || !note)
    return (
      <div className="note-area">
        <NotePlaceholder client={client} server={server} whole error={error} onRetry={retry} />
      </div>
    );
  return (
    <HostContext value={props.host}>
      <Notebook
        key={note.id}
        client={client}
        note={note}
        host={props.host}
        look={look}
        target={paragraph}
        term={term}
        bare={bare === true}
        locked={locked}
      />
    </HostContext>
  );
}

interface NotebookProps {
  client: Client;
  note: Note;
  host: HTMLElement;
  look?: Look | undefined;
  target?: string | undefined;
  term?: string | undefined;
  bare: boolean;
  locked: unknown;
}

function Notebook({
  client,
  note,
  host,
  look: fixedLook,
  target,
  term,
  bare,
  locked,
}: NotebookProps) {
  const [toast, toasts] = useToasts(3_000, 'center');
  const view = useMemo(
    () => new NoteView(client, note, host, { toast }),
    [client, note, host, toast],
  );
  const order = useSelect(client, (state) => state.open[note.id]?.order ?? none, none);
  const storedLook = useSelect(
    client,
    (state) => state.open[note.id]?.config.looknfeel,
    undefined,
  ) as Look | undefined;
  const path = useSelect(client, (state) => state.open[note.id]?.path ?? '', '');
  const ownLook = useViewState(view, (state) => state.ownLook);
  const look = fixedLook ?? ownLook ?? storedLook ?? 'default';
  // Commands read it too: it must be there before anybody can press a key.
  if (view.state.get().look !== look) view.state.set({ look });
  useEffect(() => view.state.set({ locked: lockedOf(locked) }), [view, locked]);

  useEffect(() => {
    rememberNote(client, note.noteId);
    tell(host, 'tiding-ready', { noteId: note.noteId });
  }, [client, note, host]);
  useEffect(
    () => void tell(host, 'tiding-note-path', { noteId: note.noteId, path }),
    [host, note, path],
  );
  useKeys(view);
  useDataFiles(view);
  useAdded(view, order);
  // A link to a paragraph scrolls to it after a second, when results have their heights (specification).
  useEffect(() => {
    if (target === undefined) return undefined;
    const timer = setTimeout(() => view.show(target), 1_000);
    return () => clearTimeout(timer);
  }, [target, view]);

  useEffect(() => {
    if (term !== undefined && term !== '') view.find.openWith(term, target);
  }, [term, target, view]);

  // While the note is still open.
  useLayoutEffect(() => () => view.leading.deliver(view.state.get().focused), [view]);
  useUnbound(view, bare);
  useSpellsOfOthers(client, note);

  const page = pageOf(client);
  return (
    <div className={`notebook ${look}`}>
      {bare ? null : <NoteBar view={view} />}
      <FindSlot view={view} />
      <div className="note-layout">
        {bare ? null : <Left view={view} href={(id) => `${page}#/notebook/${id}`} />}
        <section className="note-area" aria-label={path}>
          <NoteForms view={view} />
          <div className="grid12">
            <ParagraphList view={view} look={look} />
            {look === 'report' || note.revision !== undefined ? null : (
              <div className="add-bar">
                <Button icon={Plus} onClick={() => void view.act(() => view.insert())}>
                  {text.note.add}
                </Button>
                <span className="separator" />
                {quickMagics.map((magic) => (
                  <Button
                    key={magic}
                    size="sm"
                    onClick={() => void view.act(() => view.insert(undefined, `%${magic}\n`))}
                  >
                    {magic}
                  </Button>
                ))}
              </div>
            )}
          </div>
        </section>
        {bare ? null : <Right view={view} />}
      </div>
      <DragLayer view={view} />
      <Announcements view={view} />
      <ViewDialog view={view} />
      <Manners view={view} />
      {toasts}
    </div>
  );
}

function Left({ view, href }: { view: NoteView; href: (id: string) => string }) {
  const open = useViewState(view, (state) => state.left);
  if (!open) return null;
  return (
    <SidePanel
      view={view}
      href={href}
      onOpen={(id) => tell(view.host, 'tiding-open-note', { noteId: id })}
      onShow={(id) => {
        if (window.innerWidth < 940) view.state.set({ left: false });
        view.show(id);
      }}
    />
  );
}

/** The open panel on the right. */
function Right({ view }: { view: NoteView }) {
  const id = useViewState(view, (state) => state.panel);
  const panel = id === undefined ? undefined : panelOf(id);
  if (!panel) return null;
  const close = () => void view.toggle(id);
  return (
    <aside className={panel.whole ? 'panel whole' : 'panel'} aria-label={panel.title}>
      <header className="panel-head">
        <h2>{panel.title}</h2>
        <Button icon={X} label={text.note.closePanel} onClick={close} />
      </header>
      <Suspense
        fallback={
          <p className="hint" role="status">
            {text.loading}
          </p>
        }
      >
        <panel.view view={view} onClose={close} />
      </Suspense>
    </aside>
  );
}

/**
 * Keys of the note. They are heard where the page is this note's: inside the element, and on the page itself while
 * nothing else has the focus, but never in somebody else's field or in one of our own dialogs.
 */
function useKeys(view: NoteView): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || view.state.get().dialog) return;
      const path = event.composedPath();
      const inside = path.includes(view.host);
      // The box of the search has keys of its own.
      if (
        inside &&
        path.some((node) => node instanceof Element && node.classList.contains('find-box'))
      )
        return;
      if (
        !inside &&
        document.activeElement !== document.body &&
        document.activeElement !== null &&
        !document.activeElement.contains(view.host)
      )
        return;
      if (!handleKey(view, event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the editor: its own bindings for these keys are not wanted (specification's client removes them).
    view.host.addEventListener('keydown', onKey, { capture: true });
    document.addEventListener('keydown', onKey);
    return () => {
      view.host.removeEventListener('keydown', onKey, { capture: true });
      document.removeEventListener('keydown', onKey);
    };
  }, [view]);
}

/** A paragraph that was added by the server after a run of the last one gets the cursor here, where the run was asked for. */
function useAdded(view: NoteView, order: readonly string[]): void {
  const known = useRef<readonly string[]>(order);
  useEffect(() => {
    const before = known.current;
    known.current = order;
    const old = new Set(before);
    const fresh = order.filter((id) => !old.has(id));
    if (
      before.length === 0 ||
      fresh.length !== 1 ||
      !document.hasFocus() ||
      fresh[0] !== order.at(-1)
    )
      return;
    if (view.state.get().focused === before.at(-1)) view.reveal(fresh[0]!);
  }, [order, view]);
}

/** A note without any interpreter opens the panel of its bindings, with the first of each name chosen (specification). */
function useUnbound(view: NoteView, bare: boolean): void {
  useEffect(() => {
    if (bare || !view.editable) return undefined;
    const timer = setTimeout(() => {
      view.note.bindings().then(
        (all) => {
          if (
            all.length > 0 &&
            !all.some(({ selected }) => selected) &&
            view.state.get().panel === undefined
          )
            void view.toggle('bindings');
        },
        () => {},
      );
    }, 500);
    return () => clearTimeout(timer);
  }, [view, bare]);
}

/** `<tiding-notebook>` */
export const notebook: ElementSpec = {
  tag: 'tiding-notebook',
  doc: 'A whole note: bar, panel, paragraphs.',
  view: NotebookView,
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    revision: {
      kind: 'string',
      doc: 'Id of a revision of the note: it is shown as it was, and cannot be changed.',
    },
    paragraph: { kind: 'string', doc: 'Id of the paragraph to scroll to.' },
    term: { kind: 'string', doc: 'A text to look for: the find box is open with it.' },
    look: { kind: 'string', doc: 'default, simple or report; left out: as the note says.' },
    bare: { kind: 'boolean', doc: 'Paragraphs alone, without bar and panel.' },
    locked: {
      kind: 'json',
      doc: 'Values of forms, as JSON `{"region": "EU"}` or an object: shown, not editable, and those of every run.',
    },
  },
  methods: [
    {
      name: 'mayLeave',
      doc: 'Asks the reader where text is not saved; answers whether to go on. Absent while no note is shown.',
      returns: 'Promise<boolean>',
    },
  ],
  events: [
    { name: 'tiding-ready', doc: 'The note is shown; detail {noteId}.' },
    {
      name: 'tiding-note-path',
      doc: 'The name of the note is known or changed; detail {noteId, path}.',
    },
    {
      name: 'tiding-note-missing',
      doc: 'The note cannot be opened; detail {noteId, code, message}, with revisionId where a revision was asked for.',
    },
    { name: 'tiding-note-left', doc: 'The note was trashed or removed; detail {noteId}.' },
    {
      name: 'tiding-open-note',
      doc: 'Another note was chosen; detail {noteId}, with revisionId for a revision of it. Prevent it to keep the page.',
    },
    {
      name: 'tiding-sign-in-wanted',
      doc: "A right is missing, and 'Login' was chosen; detail {message}.",
    },
    {
      name: 'tiding-select',
      doc: 'Something was chosen in a result; detail {noteId, paragraphId, output, values, label?}: values by column, none when nothing is chosen any more.',
    },
    {
      name: 'tiding-error',
      doc: 'Something failed; detail {message}. Prevent it to show nothing.',
    },
  ],
  sheets: [
    ...paragraphSheets,
    ...noteListSheets,
    sheet,
    looksSheet,
    revisionSheet,
    findSheet,
    dragSheet,
    awaySheet,
    printSheet,
  ],
};
