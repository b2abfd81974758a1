/** The parts of a paragraph's header, which snapshots show too. */
import type { ParagraphState } from '@tiding/client';
import { isOutdated, isRunning, parseDate, runDuration, shortDuration } from '@tiding/client/model';
import { Code, CodeXml, Ellipsis, Eye, EyeOff, Play, Square } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useRenderInFull } from '../../runtime/render-in-full.ts';
import { fill } from '../../text/fill.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { useEditInPlace } from '../../ui/edit-in-place.ts';
import { MenuButton, type MenuEntry } from '../../ui/menu/menu-button.tsx';
import { Status } from '../../ui/status.tsx';
import { JobLinks } from './job-links.tsx';
import { paragraphTexts } from './texts.ts';

interface Shown {
  paragraph: Pick<ParagraphState, 'server' | 'outputs' | 'progress'>;
}

interface HeaderPartsProps extends Shown {
  /** Whether the show and hide buttons are omitted. */
  plain: boolean;
  online: boolean;
  /** Why the user may not run the note. */
  mayNotRun: string | undefined;
  /** Why the user may not change the note. */
  mayNotChange: string | undefined;
  onCommand: (id: string) => void;
  onTitle: (title: string) => void;
  menu: () => readonly MenuEntry[];
  /** Says that the result is older than what it uses. */
  stale?: ReactNode;
  /** Users whose cursor is in the paragraph. */
  people?: ReactNode;
  /** Handle for dragging. */
  grip?: ReactNode;
}

/** Header of a paragraph in a revision. */
export function RevisionHeader({ paragraph }: Shown) {
  const { server } = paragraph;
  return (
    <header className="paragraph-head" part="header">
      {server.config?.title ? (
        <h2 className="paragraph-title truncate">{server.title || noteTexts.untitled}</h2>
      ) : null}
      <span className="grow" />
      <Status status={server.status ?? 'READY'} more={<More paragraph={paragraph} />} />
    </header>
  );
}

/** A header. Far from the window, only its texts are rendered. */
export function HeaderParts({
  paragraph,
  plain,
  online,
  mayNotRun,
  mayNotChange,
  onCommand,
  onTitle,
  menu,
  stale,
  people,
  grip,
}: HeaderPartsProps) {
  const near = useRenderInFull();
  const { server } = paragraph;
  const config = server.config ?? {};
  const running = isRunning(server.status);
  const off = config.enabled === false;
  return (
    <header className="paragraph-head" part="header">
      {near ? (
        <RunButton {...{ off, running, online }} command={onCommand} whyNot={mayNotRun} />
      ) : null}
      {config.title ? (
        <Title value={server.title ?? ''} onSave={onTitle} whyNot={mayNotChange} />
      ) : null}
      <span className="grow" />
      <JobLinks infos={server.runtimeInfos} />
      {people}
      {near && !plain ? (
        <span className="toggles">
          {grip}
          <Button
            size="sm"
            icon={config.editorHide ? CodeXml : Code}
            label={config.editorHide ? paragraphTexts.showCode : paragraphTexts.hideCode}
            onClick={() => onCommand('toggle-editor')}
          />
          <Button
            size="sm"
            icon={config.tableHide ? EyeOff : Eye}
            label={config.tableHide ? paragraphTexts.showOutput : paragraphTexts.hideOutput}
            onClick={() => onCommand('toggle-output')}
          />
        </span>
      ) : null}
      {config.writtenBy ? (
        <span className="badge truncate">
          {fill(paragraphTexts.writtenBy, { model: config.writtenBy })}
        </span>
      ) : null}
      {off ? <span className="badge">{paragraphTexts.disabledBadge}</span> : null}
      {!running && isOutdated(server) && paragraph.outputs.length > 0 ? (
        <span className="badge outdated">{paragraphTexts.outdated}</span>
      ) : null}
      {running ? null : stale}
      <Status status={server.status ?? 'READY'} more={<More paragraph={paragraph} />} />
      {near ? (
        <MenuButton size="sm" icon={Ellipsis} label={paragraphTexts.more} entries={menu} />
      ) : null}
    </header>
  );
}

interface RunButtonProps {
  off: boolean;
  running: boolean;
  online: boolean;
  command: (id: string) => void;
  /** Why the user may not run the note. */
  whyNot: string | undefined;
}

function RunButton({ off, running, online, command, whyNot }: RunButtonProps) {
  const label = off ? paragraphTexts.disabled : paragraphTexts.run;
  return (
    <Button
      className="run"
      icon={running ? undefined : Play}
      label={running ? paragraphTexts.cancel : label}
      disabled={!running && (off || !online)}
      disabledReason={whyNot}
      onClick={() => command(running ? 'cancel' : 'run')}
    >
      {running ? <Icon of={Square} size="sm" fill /> : undefined}
    </Button>
  );
}

/**
 * Progress and elapsed time of a run. The duration of the last one is in the footer, in whole
 * seconds (specification), and here while the footer is hidden with the output.
 */
function More({ paragraph }: Shown) {
  const { status, dateStarted } = paragraph.server;
  const started = parseDate(dateStarted)?.getTime();
  const [now, setNow] = useState(Date.now);
  const live = status === 'RUNNING';
  useEffect(() => {
    if (!live) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [live]);
  if (status === 'PENDING') return <>{paragraphTexts.waiting}</>;
  if (live) {
    const time = started === undefined ? '' : shortDuration(Math.max(0, now - started));
    return (
      <>
        {paragraph.progress > 0 && paragraph.progress < 100
          ? `${paragraph.progress} % · ${time}`
          : time}
      </>
    );
  }
  if (status === 'READY' || !paragraph.server.config?.tableHide) return null;
  const duration = runDuration(paragraph.server);
  return duration === undefined ? null : shortDuration(duration);
}

interface TitleProps {
  value: string;
  onSave: (title: string) => void;
  /** Why the user may not change the note. */
  whyNot: string | undefined;
}

/** Title of a paragraph. A click edits it; Enter and blur save, Escape cancels. */
function Title({ value, onSave, whyNot }: TitleProps) {
  const { begin, field } = useEditInPlace(value, (typed) => typed !== value && onSave(typed));
  if (field)
    return (
      <input
        className="paragraph-title truncate"
        aria-label={paragraphTexts.title}
        placeholder={noteTexts.untitled}
        {...field}
      />
    );
  return (
    <h2 className={`paragraph-title truncate ${value ? '' : 'none'}`}>
      <button
        type="button"
        className="bare truncate"
        onClick={begin}
        disabled={whyNot !== undefined}
        title={whyNot}
        aria-description={whyNot}
      >
        {value || noteTexts.untitled}
      </button>
    </h2>
  );
}
