import type { NoteState, ParagraphState } from '@tiding/client';
import { noteTitle } from '@tiding/client/model';
import { Ellipsis, PanelLeft, Play, Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSelect } from '../../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../../runtime/lazy-code.tsx';
import { rightsTexts } from '../../runtime/rights-texts.ts';
import { useViewStore } from '../../runtime/store.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { useEditInPlace } from '../../ui/edit-in-place.ts';
import { moveByArrows } from '../../ui/menu/arrow-keys.ts';
import { MenuButton, type MenuEntry, withRules } from '../../ui/menu/menu-button.tsx';
import { StatusGlyph, statusLabel } from '../../ui/status.tsx';
import { isBusy } from '../commands/busy.ts';
import {
  canRun,
  iconOf,
  isShown,
  labelOf,
  menuEntryOf,
  whyNotAllowed,
} from '../commands/command.ts';
import { noteCommands } from '../commands/note.tsx';
import type { Look } from '../paragraph/look.ts';
import { peopleOf } from '../presence/people.ts';
import { renameOpenNote } from '../rename-open-note.tsx';
import { RevisionButton } from '../revisions/revision-button.tsx';
import { revisionTexts } from '../revisions/texts.ts';
import { useRevisions } from '../revisions/use-revisions.ts';
import { useStale } from '../stale/stale.ts';
import { serversOf, useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { EngineMenu } from './engine-menu.tsx';
import { useAutoHide } from './use-auto-hide.ts';

const looks = ['default', 'simple', 'report'];
/** Groups of the menu. It leaves out what has a button on the screen. */
const menu = [
  ['undo', 'redo'],
  ['find', 'toggle-all-code', 'toggle-all-output', 'clear-all', 'run-all-parallel', 'run-stale'],
  ['comments', 'files', 'variables', 'bindings'],
  ['share', 'permissions', 'personal', 'distrust', 'schedule'],
  ['revisions', 'compare', 'clone-note', 'export-note', 'print'],
  ['editor-keys', 'complete-typing', 'palette', 'ask-again', 'shortcuts'],
  ['trash-note'],
];

/** Toolbar of a note: name, save state, statuses, commands. */
export function NoteBar() {
  const ui = useNoteUi();
  const path = useNoteState(ui, (note) => note?.path ?? '');
  const running = useNoteState(ui, isBusy);
  const online = useNoteState(ui, (note) => note?.connection === 'open');
  const look = useViewStore(ui.layout.state, (state) => state.look);
  useViewStore(ui.panels.state, (state) => state.right);
  const cron = useNoteState(ui, (note) =>
    note?.info['cron'] ? 'wrong' : note?.config.cron ? 'set' : '',
  );
  useNoteState(ui, (note) => note?.config);
  const openThreads = useNoteState(ui, (note) => note?.openThreads);
  const left = useViewStore(ui.panels.state, (state) => state.left);
  const right = useViewStore(ui.rights.state, (state) => state.right);
  useRevisions(ui);
  useViewStore(ui.stale, ({ causes }) => causes);
  const readStale = useStale(ui);
  const t = noteTexts;
  const at = { note: ui.note, ui };
  const bar = useRef<HTMLDivElement>(null);
  useAutoHide(bar, ui.host);
  const find = (id: string) => noteCommands.find((command) => command.id === id)!;
  const act = (id: string) => () => void ui.messages.act(() => find(id).run(at));
  /** Whether a command's button is on the screen, so that the menu need not repeat it. */
  const isInBar = (id: string): boolean =>
    bar.current
      ?.querySelector(id === 'revisions' ? '.revision-button' : `[data-command="${id}"]`)
      ?.checkVisibility() === true;
  const entries = (ids: readonly string[]): MenuEntry[] =>
    ids
      .map(find)
      .filter((command) => isShown(command, at))
      .map((command) => menuEntryOf(command, at, act(command.id), false));
  const button = (id: string) => {
    const command = find(id);
    // A revision shows note commands disabled, and hides the buttons of panels.
    const off = ui.note.revision !== undefined && !command.reading;
    if (off ? id !== 'schedule' || command.shown?.(at) === false : !isShown(command, at))
      return null;
    return (
      <Button
        key={id}
        data-command={id}
        icon={iconOf(command, at)!}
        label={labelOf(command, at)}
        disabled={off || !canRun(command, at)}
        disabledReason={off ? undefined : whyNotAllowed(command, at)}
        onClick={act(id)}
        className={id === 'schedule' ? cron : ''}
        {...(command.checked ? { 'aria-pressed': command.checked(at) } : {})}
        title={(off ? undefined : whyNotAllowed(command, at)) ?? labelOf(command, at)}
      >
        {id === 'schedule' ? undefined : labelOf(command, at)}
      </Button>
    );
  };
  return (
    <div ref={bar} className="note-bar in-row" part="bar" role="toolbar" aria-label={path}>
      <Button icon={PanelLeft} label={t.panel} aria-pressed={left} onClick={act('toggle-left')} />
      <NoteName
        id={ui.note.noteId}
        path={path}
        onRename={
          ui.note.revision === undefined && look !== 'report'
            ? (name) => void ui.messages.act(() => renameOpenNote(ui, name))
            : undefined
        }
        whyNot={ui.rights.whyNot('owner')}
      />
      {ui.note.revision !== undefined ? (
        <span className="badge revision-badge">{revisionTexts.readOnly}</span>
      ) : right === 'reader' || right === 'runner' ? (
        <span className="badge revision-badge" title={ui.rights.whyNot('writer')}>
          {rightsTexts[right]}
        </span>
      ) : (
        <SaveState />
      )}
      <StatusStrip />
      <span className="grow" />
      <PeopleSlot />
      <EngineMenu entries={entries} />
      <span className="wide">
        {openThreads ? button('comments') : null}
        {cron ? button('schedule') : null}
        <RevisionButton />
        <MenuButton
          label={fill(t.look, { look: t.looks[look] ?? look })}
          entries={() =>
            looks.map((name) => ({
              label: t.looks[name] ?? name,
              checked: name === look,
              onSelect: () => ui.layout.choose(name as Look),
            }))
          }
        >
          {t.looks[look] ?? look}
        </MenuButton>
        {button('share')}
      </span>
      <MenuButton
        icon={Ellipsis}
        label={t.more}
        onOpen={(open) => open && readStale()}
        entries={() => withRules(menu.map((ids) => entries(ids.filter((id) => !isInBar(id)))))}
      />
      {running ? (
        <Button
          kind="secondary"
          onClick={act('stop-all')}
          disabledReason={ui.rights.whyNot('runner')}
        >
          <Icon of={Square} size="sm" fill />
          {t.stop}
        </Button>
      ) : look === 'report' ? null : (
        <Button
          kind="primary"
          onClick={act('run-all')}
          disabled={!online || ui.note.revision !== undefined}
          disabledReason={ui.rights.whyNot('runner')}
        >
          <Icon of={Play} size="sm" fill />
          {t.run}
        </Button>
      )}
    </div>
  );
}

const NotePeople = lazyCode(() => import('../presence/note-people.tsx'));

/** Loads the list of other users once somebody else has the note open. */
function PeopleSlot() {
  const { client, note } = useNoteUi();
  const others = useSelect(
    client,
    (state) => peopleOf(state.open[note.id], state.session.ticket?.principal).length > 0,
    false,
  );
  const [wanted, setWanted] = useState(others);
  // It stays when the last one leaves, to announce that.
  if (others && !wanted) setWanted(true);
  return wanted ? (
    <CodeBoundary>
      <NotePeople />
    </CodeBoundary>
  ) : null;
}

/** Longest title in the bar, in characters (specification). */
const titleLimit = 45;

/**
 * Shortens a long title at its beginning, because notes usually differ at the end of their titles.
 */
export function shortTitle(title: string): string {
  const characters = [...title];
  return characters.length > titleLimit ? `…${characters.slice(-titleLimit).join('')}` : title;
}

interface NoteNameProps {
  id: string;
  path: string;
  onRename: ((path: string) => void) | undefined;
  /** Why the user may not rename the note. */
  whyNot: string | undefined;
}

function NoteName({ id, path, onRename, whyNot }: NoteNameProps) {
  const { begin, field } = useEditInPlace(path, (typed) => onRename?.(typed));
  if (field) return <input className="note-name-field" aria-label={noteTexts.rename} {...field} />;
  const title = shortTitle(noteTitle({ id, name: path }));
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return (
    <div className="note-name">
      {folder ? <span className="note-folder">{folder} /</span> : null}
      <h1 title={path}>
        {onRename ? (
          <button
            type="button"
            className="truncate bare"
            onClick={begin}
            disabled={whyNot !== undefined}
            title={whyNot}
            aria-description={whyNot ?? noteTexts.rename}
          >
            {title}
          </button>
        ) : (
          title
        )}
      </h1>
    </div>
  );
}

/** Says whether the typed texts of a note are stored. */
function saveText(note: NoteState | undefined): string {
  const unsaved: ParagraphState[] = [];
  for (const id of note?.order ?? []) {
    const paragraph = note!.paragraphs[id];
    if (paragraph?.draft !== undefined) unsaved.push(paragraph);
  }
  if (unsaved.some(({ conflict }) => conflict)) return noteTexts.conflict;
  if (note && note.connection !== 'open')
    return note.connection === 'connecting' && unsaved.length === 0
      ? commonTexts.connecting
      : noteTexts.offline;
  if (unsaved.some(({ inFlight }) => inFlight.length > 0)) return noteTexts.saving;
  return unsaved.length > 0 ? noteTexts.unsaved : noteTexts.saved;
}

function SaveState() {
  const words = useNoteState(useNoteUi(), saveText);
  return (
    <span className="save-state wide truncate" title={words}>
      {words}
    </span>
  );
}

const MAX_LINKS = 12;

function StatusStrip() {
  const ui = useNoteUi();
  const last = useRef<ReturnType<typeof serversOf>>([]);
  const servers = useNoteState(
    ui,
    (note) => (last.current = note ? serversOf(note, last.current) : last.current),
  );
  const entries = servers.map(({ id, status, title }) => ({
    id,
    status: status ?? 'READY',
    title: title || noteTexts.untitled,
  }));
  const [stop, setStop] = useState(0);
  if (entries.length === 0) return null;
  const tooMany = entries.length > MAX_LINKS;
  const statuses = entries.map(({ status }) => status);
  if (tooMany) return <StatusCounts statuses={statuses} className="wide" />;
  return (
    <>
      <StatusCounts statuses={statuses} className="narrower" />
      <ol
        className="status-strip wide roomy"
        aria-label={noteTexts.status}
        onKeyDown={moveByArrows}
      >
        {entries.map(({ id, status, title }, at) => (
          <li key={id}>
            <button
              type="button"
              className="bare"
              title={`${title}: ${statusLabel(status)}`}
              aria-label={`${title}: ${statusLabel(status)}`}
              tabIndex={at === Math.min(stop, entries.length - 1) ? 0 : -1}
              onFocus={() => setStop(at)}
              onClick={() => ui.focus.scrollTo(id)}
            >
              <StatusGlyph status={status} />
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** How many paragraphs have each status. */
function StatusCounts({ statuses, className }: { statuses: readonly string[]; className: string }) {
  const counts = new Map<string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return (
    <span className={`status-counts ${className}`} role="group" aria-label={noteTexts.status}>
      {[...counts].map(([status, count]) => (
        <span key={status} className={`status ${status}`} title={statusLabel(status)}>
          <StatusGlyph status={status} />
          {count} <span className="word">{statusLabel(status)}</span>
        </span>
      ))}
    </span>
  );
}
