import { Code, CodeXml, Copy, Download, Ellipsis, Eraser, Eye, EyeOff, PanelLeft, Play, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Client, NoteState } from 'tiding/client';
import { isRunning, isTrashed, noteTitle } from 'tiding/model';
import { useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { StatusGlyph } from '../ui/status.tsx';

/** What the bar's buttons do. */
export interface NoteCommands {
  runAll(): void;
  stopAll(): void;
  rename(path: string): void;
  toggleCode(hide: boolean): void;
  toggleOutput(hide: boolean): void;
  clear(): void;
  clone(): void;
  export(): void;
  trash(): void;
  look(look: string): void;
  show(paragraphId: string): void;
}

interface BarProps {
  client: Client;
  noteId: string;
  commands: NoteCommands;
  panel: boolean;
  onPanel: () => void;
}

const looks = ['default', 'simple', 'report'];

/** The bar of a note: name, save state, statuses, actions. */
export function NoteBar({ client, noteId, commands, panel, onPanel }: BarProps) {
  const path = useSelect(client, (state) => state.open[noteId]?.path ?? '', '');
  const look = useSelect(client, (state) => state.open[noteId]?.config.looknfeel ?? 'default', 'default');
  const running = useSelect(client, (state) => isBusy(state.open[noteId]), false);
  const online = useSelect(client, (state) => state.open[noteId]?.connection === 'open', false);
  const codeHidden = useSelect(client, (state) => every(state.open[noteId], 'editorHide'), false);
  const outputHidden = useSelect(client, (state) => every(state.open[noteId], 'tableHide'), false);
  const { note: t } = text;
  const report = look === 'report';
  return (
    <div className="note-bar" part="bar">
      <Button icon={PanelLeft} label={t.panel} aria-pressed={panel} onClick={onPanel} />
      <NoteName id={noteId} path={path} onRename={commands.rename} />
      <SaveState client={client} noteId={noteId} />
      <StatusStrip client={client} noteId={noteId} onShow={commands.show} />
      <span className="grow" />
      {report ? null : (
        <span className="wide">
          <Button icon={codeHidden ? CodeXml : Code} label={codeHidden ? t.showCode : t.hideCode} onClick={() => commands.toggleCode(!codeHidden)} />
          <Button icon={outputHidden ? EyeOff : Eye} label={outputHidden ? t.showOutput : t.hideOutput} onClick={() => commands.toggleOutput(!outputHidden)} />
          <Button icon={Eraser} label={t.clear} onClick={commands.clear} disabled={running} />
          <span className="separator" />
        </span>
      )}
      <span className="wide">
        <MenuButton label={fill(t.look, { look: t.looks[look] ?? look })} entries={() => looks.map((name) => ({ label: t.looks[name] ?? name, checked: name === look, onSelect: () => commands.look(name) }))}>
          {t.looks[look] ?? look}
        </MenuButton>
      </span>
      <MenuButton
        icon={Ellipsis} label={t.more}
        entries={() => [
          { label: t.clone, icon: Copy, onSelect: commands.clone },
          { label: t.export, icon: Download, onSelect: commands.export },
          ...(report ? [] : [
            { label: codeHidden ? t.showCode : t.hideCode, icon: codeHidden ? CodeXml : Code, onSelect: () => commands.toggleCode(!codeHidden) },
            { label: t.clear, icon: Eraser, disabled: running, onSelect: commands.clear },
          ]),
          'rule' as const,
          { label: isTrashed(path) ? text.list.removeNote : t.trash, icon: Trash2, danger: true, onSelect: commands.trash },
        ]}
      />
      {running ? (
        <Button kind="secondary" onClick={commands.stopAll}><Icon of={Square} size="sm" fill />{t.stop}</Button>
      ) : (
        <Button kind="primary" onClick={commands.runAll} disabled={!online}><Icon of={Play} size="sm" fill />{t.run}</Button>
      )}
    </div>
  );
}

function isBusy(note: NoteState | undefined): boolean {
  return note !== undefined && (note.sequential || Object.values(note.paragraphs).some((paragraph) => isRunning(paragraph.server.status)));
}

function every(note: NoteState | undefined, key: 'editorHide' | 'tableHide'): boolean {
  const paragraphs = Object.values(note?.paragraphs ?? {});
  return paragraphs.length > 0 && paragraphs.every((paragraph) => paragraph.server.config?.[key] === true);
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
  return <span className="save-state wide" role="status">{words}</span>;
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
        {[...counts].map(([status, count]) => <span key={status} className={`status ${status}`}><StatusGlyph status={status} />{count} <span className="word">{status}</span></span>)}
      </span>
    );
  }
  return (
    <ol className="status-strip wide" aria-label={text.note.status}>
      {entries.map(({ id, status, title }) => (
        <li key={id}>
          <button type="button" title={`${title}: ${status}`} aria-label={`${title}: ${status}`} onClick={() => onShow(id)}><StatusGlyph status={status} /></button>
        </li>
      ))}
    </ol>
  );
}
