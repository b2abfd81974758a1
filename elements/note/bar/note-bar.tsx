import { Ellipsis, PanelLeft, Play, Square } from 'lucide-react';
import { useState } from 'react';
import type { Client } from 'tiding/client';
import { noteTitle } from 'tiding/model';
import { useSelect } from '../../runtime/hooks.ts';
import { fill, text } from '../../text/en.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { MenuButton, type MenuEntry } from '../../ui/menu-button.tsx';
import { StatusGlyph, statusWord } from '../../ui/status.tsx';
import { canRun, iconOf, isShown, labelOf } from '../commands/contract.ts';
import { allHidden, isBusy, noteCommands } from '../commands/note.tsx';
import { useViewState, type NoteView } from '../view.tsx';

const looks = ['default', 'simple', 'report'];
/** Commands that have a button of their own in a wide bar, and those that the menu has in every one. */
const buttons = ['toggle-all-code', 'toggle-all-output', 'clear-all'];
const panelButtons = ['bindings', 'permissions'];
const menu = ['clone-note', 'export-note', 'personal', 'run-all-parallel', 'palette', 'shortcuts', 'trash-note'];

/** The bar of a note: name, save state, statuses, actions. */
export function NoteBar({ view }: { view: NoteView }) {
  const { client, note: { id: noteId } } = view;
  const path = useSelect(client, (state) => state.open[noteId]?.path ?? '', '');
  const running = useSelect(client, (state) => isBusy(state.open[noteId]), false);
  const online = useSelect(client, (state) => state.open[noteId]?.connection === 'open', false);
  // The labels of their buttons.
  useSelect(client, (state) => allHidden(state.open[noteId], 'editorHide'), false);
  useSelect(client, (state) => allHidden(state.open[noteId], 'tableHide'), false);
  const look = useViewState(view, (state) => state.look);
  useViewState(view, (state) => state.panel);
  const cron = useSelect(client, (state) => {
    const note = state.open[noteId];
    return note?.info['cron'] ? 'wrong' : note?.config.cron ? 'set' : '';
  }, '');
  useSelect(client, (state) => state.open[noteId]?.config, undefined);
  const left = useViewState(view, (state) => state.left);
  const { note: t } = text;
  const at = { view };
  const find = (id: string) => noteCommands.find((command) => command.id === id)!;
  const act = (id: string) => () => void view.act(() => find(id).run(at));
  const entries = (ids: readonly string[]): MenuEntry[] => ids.map(find).filter((command) => isShown(command, at)).map((command) => {
    const icon = iconOf(command, at);
    return { label: labelOf(command, at), ...(icon ? { icon } : {}), ...(command.keys?.[0] ? { keys: command.keys[0] } : {}), danger: command.danger === true, disabled: !canRun(command, at), onSelect: act(command.id) };
  });
  const button = (id: string) => {
    const command = find(id);
    if (!isShown(command, at)) return null;
    return (
      <Button
        key={id} icon={iconOf(command, at)!} label={labelOf(command, at)} disabled={!canRun(command, at)} onClick={act(id)} className={id === 'schedule' ? cron : undefined}
        {...(command.checked ? { 'aria-pressed': command.checked(at) } : {})}
      />
    );
  };
  return (
    <div className="note-bar" part="bar" role="toolbar" aria-label={path}>
      <Button icon={PanelLeft} label={t.panel} aria-pressed={left} onClick={act('toggle-left')} />
      <NoteName id={noteId} path={path} onRename={(name) => void view.act(() => view.note.rename(name))} />
      <SaveState client={client} noteId={noteId} />
      <StatusStrip client={client} noteId={noteId} onShow={view.show} />
      <span className="grow" />
      <span className="wide">
        {buttons.map(button)}
        <span className="separator" />
        {button('schedule')}
        <MenuButton label={fill(t.look, { look: t.looks[look] ?? look })} entries={() => looks.map((name) => ({ label: t.looks[name] ?? name, checked: name === look, onSelect: () => void view.act(() => view.note.configure({ looknfeel: name })) }))}>
          {t.looks[look] ?? look}
        </MenuButton>
        <span className="separator" />
        {panelButtons.map(button)}
      </span>
      <MenuButton icon={Ellipsis} label={t.more} entries={() => [...entries(menu.slice(0, -1)), 'rule', ...entries([...buttons, 'schedule', ...panelButtons]), ...entries(menu.slice(-1))]} />
      {running ? (
        <Button kind="secondary" onClick={act('stop-all')}><Icon of={Square} size="sm" fill />{t.stop}</Button>
      ) : (
        <Button kind="primary" onClick={act('run-all')} disabled={!online}><Icon of={Play} size="sm" fill />{t.run}</Button>
      )}
    </div>
  );
}

function NoteName({ id, path, onRename }: { id: string; path: string; onRename: (path: string) => void }) {
  const [draft, setDraft] = useState<string>();
  const save = () => {
    if (draft !== undefined) onRename(draft);
    setDraft(undefined);
  };
  if (draft !== undefined) {
    return (
      <input
        className="note-name-field" aria-label={text.note.rename} value={draft} autoFocus
        onChange={(event) => setDraft(event.target.value)} onBlur={save}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setDraft(undefined);
        }}
      />
    );
  }
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  return (
    <div className="note-name">
      {folder ? <span className="note-folder">{folder} /</span> : null}
      <h1 title={path}><button type="button" onClick={() => setDraft(path)} title={text.note.rename}>{noteTitle({ id, name: path })}</button></h1>
    </div>
  );
}

function SaveState({ client, noteId }: { client: Client; noteId: string }) {
  const words = useSelect(client, (state) => {
    const note = state.open[noteId];
    const unsaved = Object.values(note?.paragraphs ?? {}).filter((paragraph) => paragraph.draft !== undefined);
    if (unsaved.some((paragraph) => paragraph.conflict)) return text.note.conflict;
    if (note && note.connection !== 'open') return note.connection === 'connecting' && unsaved.length === 0 ? text.connecting : text.note.offline;
    if (unsaved.some((paragraph) => paragraph.inFlight.length > 0)) return text.note.saving;
    return unsaved.length > 0 ? text.note.unsaved : text.note.saved;
  }, '');
  return <span className="save-state wide">{words}</span>;
}

const MAX_LINKS = 12;

function StatusStrip({ client, noteId, onShow }: { client: Client; noteId: string; onShow: (id: string) => void }) {
  const key = useSelect(client, (state) => {
    const note = state.open[noteId];
    return (note?.order ?? []).map((id) => `${id} ${note?.paragraphs[id]?.server.status ?? 'READY'} ${note?.paragraphs[id]?.server.title ?? ''}`).join('\n');
  }, '');
  const entries = key === '' ? [] : key.split('\n').map((line) => {
    const [id = '', status = 'READY', ...title] = line.split(' ');
    return { id, status, title: title.join(' ') || text.note.untitled };
  });
  if (entries.length === 0) return null;
  if (entries.length > MAX_LINKS) {
    const counts = new Map<string, number>();
    for (const { status } of entries) counts.set(status, (counts.get(status) ?? 0) + 1);
    return (
      <span className="status-counts wide" aria-label={text.note.status}>
        {[...counts].map(([status, count]) => <span key={status} className={`status ${status}`}><StatusGlyph status={status} />{count} <span className="word">{statusWord(status)}</span></span>)}
      </span>
    );
  }
  return (
    <ol className="status-strip wide" aria-label={text.note.status}>
      {entries.map(({ id, status, title }) => (
        <li key={id}>
          <button type="button" title={`${title}: ${statusWord(status)}`} aria-label={`${title}: ${statusWord(status)}`} onClick={() => onShow(id)}><StatusGlyph status={status} /></button>
        </li>
      ))}
    </ol>
  );
}
