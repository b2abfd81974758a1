import { ArrowLeft } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Client, Note } from 'tiding/client';
import { isRunning, noteTitle } from 'tiding/model';
import { editorSheets } from '../editor/index.ts';
import { resultSheets } from '../result/index.ts';
import { useSpellsOfOthers } from '../result/packages/use-spells.ts';
import {
  commonProperties,
  tell,
  type ElementSpec,
  type ViewProps,
} from '../runtime/define-element.ts';
import { HostContext, useClient, useNote, useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { runHere } from '../note/commands/paragraph.tsx';
import { Announcements } from '../note/announcements.tsx';
import { Manners } from '../note/manners.tsx';
import { lockedOf, NoteView } from '../note/view.tsx';
import { ViewDialog } from '../note/view-dialog.tsx';
import { pageOf } from '../notes/note-list.tsx';
import { Icon } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/loading.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Look } from './look.ts';
import { ParagraphCard } from './paragraph-card.tsx';
import presenceSheet from '../note/presence/presence.css';
import { OnlineContext } from './use-paragraph.ts';
import formsSheet from './forms.css';
import sheet from './paragraph.css';
import looksSheet from './looks.css';

/** Sheets of what shows paragraphs. */
export const paragraphSheets = [
  sheet,
  formsSheet,
  looksSheet,
  presenceSheet,
  ...editorSheets,
  ...resultSheets,
];

/** What stands in the place of a note that is not there (yet). `whole`: of a whole note, whose title is the heading of the page. */
export function NotePlaceholder({
  client,
  server,
  whole,
  error,
  onRetry,
}: {
  client: Client | undefined;
  server?: string | undefined;
  whole?: boolean;
  error: { code: string; message: string } | undefined;
  onRetry: () => void;
}) {
  if (!client)
    return <p className="element-message">{server === undefined ? text.noServer : text.noToken}</p>;
  if (!error) return <Loading lines />;
  const words = (
    <b>
      {error.code === 'signed-out'
        ? text.signedOut
        : error.code === 'forbidden'
          ? text.insufficient
          : text.noteMissing}
    </b>
  );
  return (
    <Failed onRetry={onRetry}>
      {whole ? <h1>{words}</h1> : words}
      <span>{error.code === 'signed-out' ? '' : error.message}</span>
    </Failed>
  );
}

/** Tells the host page when the paragraph's run begins and ends. */
function useRunEvents(
  host: HTMLElement,
  status: string | undefined,
  noteId: string,
  paragraphId: string,
): void {
  const before = useRef(status);
  useEffect(() => {
    const was = isRunning(before.current);
    before.current = status;
    if (isRunning(status) && !was) tell(host, 'tiding-run-started', { noteId, paragraphId });
    if (!isRunning(status) && was)
      tell(host, 'tiding-run-finished', { noteId, paragraphId, status });
  }, [host, status, noteId, paragraphId]);
}

function ParagraphView(props: ViewProps) {
  const client = useClient(props);
  const {
    note: noteId,
    paragraph: id,
    look = 'default',
    locked,
    server,
  } = props.values as {
    note?: string;
    paragraph?: string;
    look?: Look;
    locked?: unknown;
    server?: string;
  };
  const { note, error, retry } = useNote(client, noteId);
  if (!noteId || !id) return <p className="element-message">{text.noNote}</p>;
  if (!client || !note)
    return <NotePlaceholder client={client} server={server} error={error} onRetry={retry} />;
  return (
    <HostContext value={props.host}>
      <OneParagraph
        client={client}
        note={note}
        id={id}
        look={look}
        locked={locked}
        host={props.host}
      />
    </HostContext>
  );
}

function OneParagraph({
  client,
  note,
  id,
  look: wanted,
  locked,
  host,
}: {
  client: Client;
  note: Note;
  id: string;
  look: Look;
  locked: unknown;
  host: HTMLElement;
}) {
  const status = useSelect(
    client,
    (state) => state.open[note.id]?.paragraphs[id]?.server.status,
    undefined,
  );
  const online = useSelect(client, (state) => state.open[note.id]?.connection === 'open', false);
  const there = useSelect(
    client,
    (state) => state.open[note.id]?.paragraphs[id] !== undefined,
    false,
  );
  const path = useSelect(client, (state) => state.open[note.id]?.path ?? '', '');
  // On a page of its own it has the note's look as far as that makes it view-only.
  const look = useSelect(
    client,
    (state) =>
      wanted === 'focus' && state.open[note.id]?.config.looknfeel === 'report' ? 'report' : wanted,
    wanted,
  );
  const [toast, toasts] = useToasts(3_000, 'center');
  const view = useMemo(
    () => new NoteView(client, note, host, { single: true, toast }),
    [client, note, host, toast],
  );
  useEffect(() => view.state.set({ look, locked: lockedOf(locked) }), [view, look, locked]);
  useEffect(
    () => void tell(host, 'tiding-note-path', { noteId: note.id, path }),
    [host, note, path],
  );
  useRunEvents(host, status, note.id, id);
  useSpellsOfOthers(client, note);
  // Hosts call these: they are what the buttons do.
  useEffect(() => {
    const element = host as HTMLElement & {
      run?: (params?: Readonly<Record<string, unknown>>) => Promise<unknown>;
      cancel?: () => Promise<void>;
    };
    element.run = (params) => runHere(view, note.paragraph(id), params);
    element.cancel = () => note.paragraph(id).cancel();
    tell(host, 'tiding-ready', { noteId: note.id, paragraphId: id });
  }, [host, note, id, view]);
  if (!there)
    return (
      <p className="element-message" role="alert">
        {fill(text.paragraphMissing, { id })}
      </p>
    );
  return (
    <>
      {wanted === 'focus' ? <BackLink view={view} path={path} /> : null}
      <OnlineContext value={online}>
        <ParagraphCard view={view} id={id} look={look} />
      </OnlineContext>
      <Announcements view={view} />
      <ViewDialog view={view} />
      <Manners view={view} />
      {toasts}
    </>
  );
}

/** The way back to the note, from a paragraph on a page of its own. */
function BackLink({ view, path }: { view: NoteView; path: string }) {
  const { client, note, host } = view;
  const name = noteTitle({ id: note.id, name: path });
  return (
    <nav className="single-head">
      <a
        href={`${pageOf(client)}#/notebook/${note.id}`}
        title={path}
        aria-label={fill(text.single.back, { name })}
        onClick={(event) =>
          !event.ctrlKey &&
          !event.metaKey &&
          !event.shiftKey &&
          !tell(host, 'tiding-open-note', { noteId: note.id }) &&
          event.preventDefault()
        }
      >
        <Icon of={ArrowLeft} size="sm" />
        {name}
      </a>
    </nav>
  );
}

/** `<tiding-paragraph>` */
export const paragraph: ElementSpec = {
  tag: 'tiding-paragraph',
  doc: 'One live paragraph of a note: editor, forms, result; runs where it stands.',
  view: ParagraphView,
  properties: {
    ...commonProperties,
    note: { kind: 'string', doc: 'Id of the note.' },
    paragraph: { kind: 'string', doc: 'Id of the paragraph.' },
    look: {
      kind: 'string',
      doc: 'default, simple, report (title and result), embed (forms and result alone), or focus (a page of its own: without the editor).',
    },
    locked: {
      kind: 'json',
      doc: 'Values of forms, as JSON `{"region": "EU"}` or an object: shown, not editable, and those of every run.',
    },
  },
  methods: [
    {
      name: 'mayLeave',
      doc: 'Asks the reader where text is not saved; answers whether to go on. Absent while no paragraph is shown.',
      returns: 'Promise<boolean>',
    },
  ],
  events: [
    { name: 'tiding-ready', doc: 'The paragraph is shown; detail {noteId, paragraphId}.' },
    { name: 'tiding-run-started', doc: 'A run began; detail {noteId, paragraphId}.' },
    { name: 'tiding-run-finished', doc: 'A run ended; detail {noteId, paragraphId, status}.' },
    {
      name: 'tiding-note-path',
      doc: 'The name of the note is known or changed; detail {noteId, path}.',
    },
    {
      name: 'tiding-open-note',
      doc: 'The whole note was chosen; detail {noteId}. Prevent it to keep the page.',
    },
    { name: 'tiding-note-left', doc: 'The note was removed; detail {noteId}.' },
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
  sheets: paragraphSheets,
};
