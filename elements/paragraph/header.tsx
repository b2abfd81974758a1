import {
  ArrowDown, ArrowUp, Code, CodeXml, Copy, Ellipsis, Eraser, ExternalLink, Eye, EyeOff, Hash, Play, Plus, PowerOff, Square, Trash2, Type,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ParagraphState } from 'tiding/client';
import { isOutdated, isRunning, parseDate, shortDuration } from 'tiding/model';
import { text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import { MenuButton, type MenuEntry } from '../ui/menu-button.tsx';
import { Status } from '../ui/status.tsx';
import type { ParagraphCommands } from './use-paragraph.ts';

interface HeaderProps {
  paragraph: ParagraphState;
  commands: ParagraphCommands;
  /** Place in the note and number of paragraphs; absent in an embedded paragraph. */
  place?: { index: number; count: number } | undefined;
  canRun: boolean;
  onRemove: () => void;
  onLink: () => void;
}

/** Run button in the gutter, title, toggles, status, menu. */
export function ParagraphHeader({ paragraph, commands, place, canRun, onRemove, onLink }: HeaderProps) {
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const off = config.enabled === false;
  return (
    <header className="paragraph-head" part="header">
      {running ? (
        <Button className="run" label={text.paragraph.cancel} onClick={commands.cancel}>
          <Icon of={Square} size="sm" fill />
        </Button>
      ) : (
        <Button className="run" icon={Play} label={off ? text.paragraph.disabled : text.paragraph.run} disabled={off || !canRun} onClick={commands.run} />
      )}
      {config.title ? <Title value={server.title ?? ''} onSave={commands.setTitle} /> : null}
      <span className="grow" />
      <span className="toggles">
        <Button size="sm" icon={config.editorHide ? CodeXml : Code} label={config.editorHide ? text.paragraph.showCode : text.paragraph.hideCode} onClick={() => commands.configure({ editorHide: !config.editorHide })} />
        <Button size="sm" icon={config.tableHide ? EyeOff : Eye} label={config.tableHide ? text.paragraph.showOutput : text.paragraph.hideOutput} onClick={() => commands.configure({ tableHide: !config.tableHide })} />
      </span>
      {off ? <span className="badge">{text.paragraph.disabledBadge}</span> : null}
      {!running && isOutdated(server) && paragraph.outputs.length > 0 ? <span className="badge outdated">{text.paragraph.outdated}</span> : null}
      <Status status={server.status ?? 'READY'} more={<More paragraph={paragraph} />} />
      <MenuButton size="sm" icon={Ellipsis} label={text.paragraph.more} entries={() => entries(paragraph, commands, place, onRemove, onLink)} />
    </header>
  );
}

function entries(paragraph: ParagraphState, commands: ParagraphCommands, place: HeaderProps['place'], onRemove: () => void, onLink: () => void): MenuEntry[] {
  const config = paragraph.server.config ?? {};
  const t = text.paragraph;
  const structure: MenuEntry[] = place
    ? [
        { label: t.moveUp, icon: ArrowUp, disabled: place.index === 0, onSelect: () => commands.move(-1) },
        { label: t.moveDown, icon: ArrowDown, disabled: place.index >= place.count - 1, onSelect: () => commands.move(1) },
        { label: t.insert, icon: Plus, onSelect: commands.insertBelow },
        { label: t.clone, icon: Copy, onSelect: commands.copy },
        'rule',
      ]
    : [];
  return [
    ...structure,
    { label: config.editorHide ? t.showCode : t.hideCode, icon: config.editorHide ? CodeXml : Code, onSelect: () => commands.configure({ editorHide: !config.editorHide }) },
    { label: config.tableHide ? t.showOutput : t.hideOutput, icon: config.tableHide ? EyeOff : Eye, onSelect: () => commands.configure({ tableHide: !config.tableHide }) },
    { label: config.title ? t.hideTitle : t.showTitle, icon: Type, onSelect: () => commands.configure({ title: !config.title }) },
    { label: config.lineNumbers ? t.hideLines : t.showLines, icon: Hash, onSelect: () => commands.configure({ lineNumbers: !config.lineNumbers }) },
    { label: config.enabled === false ? t.enable : t.disable, icon: PowerOff, onSelect: () => commands.configure({ enabled: config.enabled === false }) },
    { label: t.link, icon: ExternalLink, onSelect: onLink },
    { label: t.clear, icon: Eraser, disabled: isRunning(paragraph.server.status), onSelect: commands.clear },
    ...(place ? (['rule', { label: t.remove, icon: Trash2, danger: true, onSelect: onRemove }] as MenuEntry[]) : []),
  ];
}

/** Percent and time of a run that goes on, or how long the last took. */
function More({ paragraph }: { paragraph: ParagraphState }) {
  const { status, dateStarted, dateFinished } = paragraph.server;
  const started = parseDate(dateStarted)?.getTime();
  const [now, setNow] = useState(Date.now);
  const live = status === 'RUNNING';
  useEffect(() => {
    if (!live) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [live]);
  if (status === 'PENDING') return <>{text.paragraph.waiting}</>;
  if (live) {
    const time = started === undefined ? '' : shortDuration(Math.max(0, now - started));
    return <>{paragraph.progress > 0 && paragraph.progress < 100 ? `${paragraph.progress} % · ${time}` : time}</>;
  }
  if (status === 'READY') return null;
  if (paragraph.server.tookMs !== undefined) return <>{shortDuration(paragraph.server.tookMs)}</>;
  const finished = parseDate(dateFinished)?.getTime();
  return started === undefined || finished === undefined ? null : <>{shortDuration(Math.max(0, finished - started))}</>;
}

/** The title; a click edits it, Enter and leaving save, Escape does not. */
function Title({ value, onSave }: { value: string; onSave: (title: string) => void }) {
  const [draft, setDraft] = useState<string>();
  const save = () => {
    if (draft !== undefined && draft !== value) onSave(draft);
    setDraft(undefined);
  };
  if (draft === undefined) {
    return (
      <h2 className={value ? 'paragraph-title' : 'paragraph-title none'}>
        <button type="button" onClick={() => setDraft(value)}>{value || text.note.untitled}</button>
      </h2>
    );
  }
  return (
    <input
      className="paragraph-title" aria-label={text.paragraph.title} placeholder={text.note.untitled} value={draft} autoFocus
      onChange={(event) => setDraft(event.target.value)} onBlur={save}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') setDraft(undefined);
      }}
    />
  );
}
