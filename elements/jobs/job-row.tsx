import type { Client } from '@tiding/client';
import {
  formatDate,
  isTrashed,
  jobProgress,
  notePath,
  progressStyle,
  relativeTime,
} from '@tiding/client/model';
import type { JobEntry } from '@tiding/client/protocol';
import {
  Bell,
  CalendarClock,
  ChevronDown,
  ChevronRight,
  FileCode2,
  FileText,
  Play,
  Square,
} from 'lucide-react';
import { memo, useState } from 'react';
import { noteListTexts } from '../note-list/texts.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { Status, StatusGlyph, statusLabel } from '../ui/status.tsx';
import { RunHistoryChart } from './run-history.tsx';
import { jobTitle } from './select-jobs.ts';
import { jobTexts as t } from './texts.ts';

const icons = { normal: FileText, cron: CalendarClock, other: FileCode2 } as const;

interface JobRowProps {
  client: Client;
  job: JobEntry;
  /** Epoch time in ms, for relative times such as "an hour ago". */
  now: number;
  /** URL of the app, without the part from `#`. */
  base: string;
  /** A start or stop request for this job is pending. */
  busy: boolean;
  onAsk: (action: 'start' | 'stop', job: JobEntry) => Promise<void>;
  /** Why the user may not start or stop the job. */
  disabledReason: string | undefined;
  /** Called when the pointer or the focus reaches the job. */
  onReach: (noteId: string) => void;
  /** Called when a link is followed; returns false if the host prevented it. */
  onOpen: (noteId: string, paragraphId?: string) => boolean;
}

/** A note as a job. Renders again only when its entry or the clock changed. */
export const JobRow = memo(function JobRow({
  client,
  job,
  now,
  base,
  busy,
  onAsk,
  disabledReason,
  onReach,
  onOpen,
}: JobRowProps) {
  const [open, setOpen] = useState(false);
  const {
    noteId,
    noteType = 'normal',
    interpreter,
    isRunningJob: running = false,
    paragraphs = [],
    unixTimeLastRun: last = 0,
  } = job;
  const type = noteType === 'normal' || noteType === 'cron' ? noteType : 'other';
  const title = jobTitle(job);
  const failed = paragraphs.filter(({ status }) => status === 'ERROR').length;
  const address = `${base}#/notebook/${encodeURIComponent(noteId)}`;
  const row = (
    <div
      role="row"
      className={open ? 'job open' : 'job'}
      data-job={noteId}
      onPointerEnter={() => onReach(noteId)}
      onFocus={() => onReach(noteId)}
    >
      <span role="cell" className="job-type">
        <span role="img" aria-label={t.types[type]} title={t.types[type]}>
          <Icon of={icons[type]} />
        </span>
      </span>
      <span role="cell" className="job-note">
        <a
          className="note-name"
          href={address}
          onClick={(event) =>
            !event.ctrlKey && !event.metaKey && !onOpen(noteId) && event.preventDefault()
          }
        >
          <b>{title}</b>
          <span>{folderOf(job)}</span>
        </a>
      </span>
      <span role="cell" className="job-interpreter">
        {interpreter ? <span className="chip">{interpreter}</span> : t.noInterpreter}
      </span>
      <span role="cell" className="job-strip">
        {paragraphs.map(({ id, name, status = 'READY' }) => {
          const words = fill(t.paragraph, { name: name || id, status: statusLabel(status) });
          return (
            <a
              key={id}
              href={`${address}?paragraph=${encodeURIComponent(id)}`}
              title={words}
              aria-label={words}
              onClick={(event) =>
                !event.ctrlKey && !event.metaKey && !onOpen(noteId, id) && event.preventDefault()
              }
            >
              <StatusGlyph status={status} />
            </a>
          );
        })}
      </span>
      <span role="cell" className="job-when">
        <span className="job-times">
          {/* The server's clock may be ahead of the browser's. */}
          {last > 0 ? <Time at={last} now={Math.max(last, now)} /> : t.never}
          <Schedule job={job} now={now} />
        </span>
        <Button
          size="sm"
          icon={open ? ChevronDown : ChevronRight}
          label={fill(t.runs.show, { name: title })}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </span>
      <span role="cell" className="job-state">
        <Status status={running ? 'RUNNING' : 'READY'} />
        {failed > 0 ? <span className="job-failed">{fill(t.failed, { n: failed })}</span> : null}
      </span>
      <span role="cell" className="job-progress">
        <Progress percent={jobProgress(paragraphs)} running={running} name={title} />
      </span>
      <span role="cell" className="job-action">
        <Button
          kind={running ? 'secondary' : 'ghost'}
          size="sm"
          aria-busy={busy || undefined}
          label={fill(running ? t.stopNamed : t.runNamed, { name: title })}
          disabledReason={disabledReason}
          title={disabledReason ?? (running ? t.stopAll : t.startAll)}
          onClick={() => busy || void onAsk(running ? 'stop' : 'start', job)}
        >
          <Icon of={running ? Square : Play} size="sm" fill={running} />
          {running ? t.stop : t.run}
        </Button>
      </span>
    </div>
  );
  return open ? (
    <>
      {row}
      <div role="row" className="job-runs">
        <div role="cell" aria-colspan={8}>
          <RunHistoryChart client={client} noteId={noteId} name={title} running={running} />
        </div>
      </div>
    </>
  ) : (
    row
  );
});

function folderOf(job: JobEntry): string {
  const folders = notePath({ id: job.noteId, name: job.noteName ?? '' })
    .split('/')
    .slice(0, -1);
  if (folders.length === 0) return t.noFolder;
  return [isTrashed(folders[0]!) ? noteListTexts.trash : folders[0]!, ...folders.slice(1)].join(
    ' / ',
  );
}

/** A time in relation to now. */
function Time({ at, now, says = '{when}' }: { at: number; now: number; says?: string }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={formatDate(date, 'MMMM DD YYYY, h:mm:ss A')}>
      {fill(says, { when: relativeTime(date, new Date(now)) })}
    </time>
  );
}

/** The next run of a note with a schedule, and a bell if the schedule sends alerts. */
function Schedule({
  job: { unixTimeNextRun: next, alerts = [] },
  now,
}: {
  job: JobEntry;
  now: number;
}) {
  if (next === undefined) return null;
  const names: Partial<Record<string, string>> = t.alertEvents;
  const label = fill(t.alerts, { events: alerts.map((event) => names[event] ?? event).join(', ') });
  return (
    <span className="job-next">
      {/* The entry is sent again once the run has begun. */}
      <Time at={Math.max(next, now + 1)} now={now} says={t.next} />
      {alerts.length > 0 ? (
        <span role="img" aria-label={label} title={label}>
          <Icon of={Bell} size="sm" />
        </span>
      ) : null}
    </span>
  );
}

/** A bar if strictly between 0 and 100 percent, otherwise stripes (specification). */
function Progress({ percent, running, name }: { percent: number; running: boolean; name: string }) {
  const bar = progressStyle(percent) === 'bar';
  const label = fill(t.progress, { name });
  return (
    <>
      <span
        className={`job-bar${bar ? '' : ' striped'}${running ? ' running' : ''}`}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <i style={bar ? { width: `${percent}%` } : undefined} />
      </span>
      <span className="job-percent">{bar ? fill(t.percent, { n: percent }) : ''}</span>
    </>
  );
}
