import { Ellipsis, PanelLeft, Play, Square } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { Client, ClientState, ParagraphState } from 'tiding/client';
import { noteTitle } from 'tiding/model';
import type { Look } from '../../paragraph/look.ts';
import { useSelect } from '../../runtime/hooks.ts';
import { useStore } from '../../runtime/store.ts';
import { fill, text } from '../../text/en.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { useEditInPlace } from '../../ui/edit-in-place.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu-button.tsx';
import { StatusGlyph, statusWord } from '../../ui/status.tsx';
import { canRun, entryOf, iconOf, isShown, labelOf } from '../commands/contract.ts';
import { allHidden, isBusy, noteCommands } from '../commands/note.tsx';
import { People } from '../presence/people.tsx';
import { RevisionButton } from '../revisions/revision-button.tsx';
import { useRevisions } from '../revisions/use-revisions.ts';
import { useViewState, type NoteView } from '../view.tsx';
import { useAway } from './use-away.ts';

const looks = ['default', 'simple', 'report'];
/** Commands that have a button of their own in a wide bar, and those that the menu has in every one. */
const buttons = ['toggle-all-code', 'toggle-all-output', 'clear-all', 'find'];
const panelButtons = ['bindings', 'permissions', 'compare'];
const menu = [
  'undo',
  'redo',
  'clone-note',
  'export-note',
  'print',
  'personal',
  'run-all-parallel',
  'distrust',
  'editor-keys',
  'palette',
  'shortcuts',
  'trash-note',
];

/** The bar of a note: name, save state, statuses, actions. */
export function NoteBar({ view }: { view: NoteView }) {
  const {
    client,
    note: { id: noteId },
  } = view;
  const path = useSelect(client, (state) => state.open[noteId]?.path ?? '', '');
  const running = useSelect(client, (state) => isBusy(state.open[noteId]), false);
  const online = useSelect(client, (state) => state.open[noteId]?.connection === 'open', false);
  // The labels of their buttons.
  useSelect(client, (state) => allHidden(state.open[noteId], 'editorHide'), false);
  useSelect(client, (state) => allHidden(state.open[noteId], 'tableHide'), false);
  const look = useViewState(view, (state) => state.look);
  useStore(view.find.state, (state) => state.open);
  useViewState(view, (state) => state.panel);
  const cron = useSelect(
    client,
    (state) => {
      const note = state.open[noteId];
      return note?.info['cron'] ? 'wrong' : note?.config.cron ? 'set' : '';
    },
    '',
  );
  useSelect(client, (state) => state.open[noteId]?.config, undefined);
  const left = useViewState(view, (state) => state.left);
  useRevisions(view);
  const { note: t } = text;
  const at = { view };
  const bar = useRef<HTMLDivElement>(null);
  useAway(bar, view.host);
  const find = (id: string) => noteCommands.find((command) => command.id === id)!;
  const act = (id: string) => () => void view.act(() => find(id).run(at));
  const entries = (ids: readonly string[]): MenuEntry[] =>
    ids
      .map(find)
      .filter((command) => isShown(command, at))
      .map((command) => entryOf(command, at, act(command.id), false));
  const button = (id: string) => {
    const command = find(id);
    // A revision shows what could be done with the note and lets nobody do it; what stands beside the note is not there at all.
    const off = view.note.revision !== undefined && !command.reading;
    if (off ? panelButtons.includes(id) || command.shown?.(at) === false : !isShown(command, at))
      return null;
    return (
      <Button
        key={id}
        data-command={id}
        icon={iconOf(command, at)!}
        label={labelOf(command, at)}
        disabled={off || !canRun(command, at)}
        onClick={act(id)}
        className={id === 'schedule' ? cron : undefined}
        {...(command.checked ? { 'aria-pressed': command.checked(at) } : {})}
      />
    );
  };
  return (
    <div ref={bar} className="note-bar" part="bar" role="toolbar" aria-label={path}>
      <Button icon={PanelLeft} label={t.panel} aria-pressed={left} onClick={act('toggle-left')} />
      <NoteName
        id={view.note.noteId}
        path={path}
        onRename={
          view.note.revision === undefined
            ? (name) => void view.act(() => view.note.rename(name))
            : undefined
        }
      />
      {view.note.revision === undefined ? (
        <SaveState client={client} noteId={noteId} />
      ) : (
        <span className="badge revision-badge">{text.revisions.readOnly}</span>
      )}
      <StatusStrip client={client} noteId={noteId} onShow={view.show} />
      <span className="grow" />
      <People view={view} />
      <span className="wide">
        {buttons.map(button)}
        <span className="separator" />
        <RevisionButton view={view} />
        {button('schedule')}
        <MenuButton
          label={fill(t.look, { look: t.looks[look] ?? look })}
          entries={() =>
            looks.map((name) => ({
              label: t.looks[name] ?? name,
              checked: name === look,
              onSelect: () => view.setLook(name as Look),
            }))
          }
        >
          {t.looks[look] ?? look}
        </MenuButton>
        <span className="separator" />
        {panelButtons.map(button)}
      </span>
      <MenuButton
        icon={Ellipsis}
        label={t.more}
        entries={() => [
          ...entries(menu.slice(0, -1)),
          'rule',
          ...entries([...buttons, 'revisions', 'schedule', ...panelButtons]),
          ...entries(menu.slice(-1)),
        ]}
      />
      {running ? (
        <Button kind="secondary" onClick={act('stop-all')}>
          <Icon of={Square} size="sm" fill />
          {t.stop}
        </Button>
      ) : (
        <Button
          kind="primary"
          onClick={act('run-all')}
          disabled={!online || view.note.revision !== undefined}
        >
          <Icon of={Play} size="sm" fill />
          {t.run}
        </Button>
      )}
    </div>
  );
}

/** Longest title in the bar (specification). */
const titleLimit = 45;

/** A title whose beginning is left out where it is too long: what tells notes apart is mostly at the end. */
export function shortTitle(title: string): string {
  const characters = [...title];
  return characters.length > titleLimit ? `…${characters.slice(-titleLimit).join('')}` : title;
}

function NoteName({
  id,
  path,
  onRename,
}: {
  id: string;
  path: string;
  onRename: ((path: string) => void) | undefined;
}) {
  const { begin, field } = useEditInPlace(path, (typed) => onRename?.(typed));
  if (field) return <input className="note-name-field" aria-label={text.note.rename} {...field} />;
  const title = shortTitle(noteTitle({ id, name: path }));
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return (
    <div className="note-name">
      {folder ? <span className="note-folder">{folder} /</span> : null}
      <h1 title={path}>
        {onRename ? (
          <button type="button" onClick={begin} aria-description={text.note.rename}>
            {title}
          </button>
        ) : (
          title
        )}
      </h1>
    </div>
  );
}

function SaveState({ client, noteId }: { client: Client; noteId: string }) {
  const words = useSelect(
    client,
    (state) => {
      const note = state.open[noteId];
      const unsaved: ParagraphState[] = [];
      for (const id of note?.order ?? []) {
        const paragraph = note!.paragraphs[id];
        if (paragraph?.draft !== undefined) unsaved.push(paragraph);
      }
      if (unsaved.some((paragraph) => paragraph.conflict)) return text.note.conflict;
      if (note && note.connection !== 'open')
        return note.connection === 'connecting' && unsaved.length === 0
          ? text.connecting
          : text.note.offline;
      if (unsaved.some((paragraph) => paragraph.inFlight.length > 0)) return text.note.saving;
      return unsaved.length > 0 ? text.note.unsaved : text.note.saved;
    },
    '',
  );
  return (
    <span className="save-state wide" title={words}>
      {words}
    </span>
  );
}

const MAX_LINKS = 12;

const noServers: readonly ParagraphState['server'][] = [];

/** What the server has said of the paragraphs, in order: the same list while it says nothing new, however much they print. */
function useServers(client: Client, noteId: string): readonly ParagraphState['server'][] {
  const select = useMemo(() => {
    let last = noServers;
    return (state: ClientState) => {
      const note = state.open[noteId];
      const same =
        (note?.order.length ?? 0) === last.length &&
        last.every((server, at) => note?.paragraphs[note.order[at]!]?.server === server);
      if (!same) last = (note?.order ?? []).flatMap((id) => note?.paragraphs[id]?.server ?? []);
      return last;
    };
  }, [noteId]);
  return useSelect(client, select, noServers);
}

function StatusStrip({
  client,
  noteId,
  onShow,
}: {
  client: Client;
  noteId: string;
  onShow: (id: string) => void;
}) {
  const entries = useServers(client, noteId).map(({ id, status, title }) => ({
    id,
    status: status ?? 'READY',
    title: title || text.note.untitled,
  }));
  if (entries.length === 0) return null;
  if (entries.length > MAX_LINKS) {
    const counts = new Map<string, number>();
    for (const { status } of entries) counts.set(status, (counts.get(status) ?? 0) + 1);
    return (
      <span className="status-counts wide" aria-label={text.note.status}>
        {[...counts].map(([status, count]) => (
          <span key={status} className={`status ${status}`}>
            <StatusGlyph status={status} />
            {count} <span className="word">{statusWord(status)}</span>
          </span>
        ))}
      </span>
    );
  }
  return (
    <ol className="status-strip wide" aria-label={text.note.status}>
      {entries.map(({ id, status, title }) => (
        <li key={id}>
          <button
            type="button"
            title={`${title}: ${statusWord(status)}`}
            aria-label={`${title}: ${statusWord(status)}`}
            onClick={() => onShow(id)}
          >
            <StatusGlyph status={status} />
          </button>
        </li>
      ))}
    </ol>
  );
}
