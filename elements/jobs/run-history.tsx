import { useEffect, useRef } from 'react';
import type { Client } from 'tiding/client';
import { formatDate, shortDuration } from 'tiding/model';
import type { NoteRun } from 'tiding/protocol';
import { fill, text } from '../text/en.ts';
import { Failed } from '../ui/loading.tsx';
import { messageOf, useLoaded } from '../ui/page.tsx';
import { StatusGlyph, statusWord } from '../ui/status.tsx';

const t = text.jobManager.runs;
/** Runs that are listed in words beside the bars. */
const LISTED = 5;
/** The lowest bar, in percent: one that took no time is seen too. */
const LOWEST = 6;

const tookOf = ({ start, end }: NoteRun): number => Math.max(0, end - start);
const when = ({ start }: NoteRun): string => formatDate(new Date(start), 'MMMM DD YYYY, h:mm:ss A');

/** The duration in the middle, ms; of an even number the mean of the two. */
export function medianOf(runs: readonly NoteRun[]): number {
  const all = runs.map(tookOf).sort((a, b) => a - b);
  const middle = Math.floor(all.length / 2);
  return all.length % 2 === 1 ? all[middle]! : ((all[middle - 1] ?? 0) + (all[middle] ?? 0)) / 2;
}

/** How long the last runs of a note took, each as a bar, the newest last; and the newest in words. `running`: asked for again when that ends. */
export function RunHistory({
  client,
  noteId,
  name,
  running,
}: {
  client: Client;
  noteId: string;
  name: string;
  running: boolean;
}) {
  const { value, error, loading, reload } = useLoaded(client, (asked) =>
    asked.jobs.history(noteId),
  );
  const before = useRef(running);
  useEffect(() => {
    if (before.current && !running) void reload();
    before.current = running;
  }, [running, reload]);
  if (!value)
    return loading ? (
      <p className="hint" role="status">
        {text.loading}
      </p>
    ) : (
      <Failed onRetry={() => void reload()}>
        <span>{messageOf(error, t.notLoaded)}</span>
      </Failed>
    );
  if (value.length === 0)
    return (
      <p className="hint" role="status">
        {t.none}
      </p>
    );
  const longest = Math.max(1, ...value.map(tookOf));
  const last = value.at(-1)!;
  const summary = fill(value.length === 1 ? t.one : t.summary, {
    n: value.length,
    last: shortDuration(tookOf(last)),
    median: shortDuration(medianOf(value)),
  });
  const words = (run: NoteRun) =>
    fill(t.run, { took: shortDuration(tookOf(run)), when: when(run), who: run.who });
  return (
    <>
      <div className="run-trend">
        <p>{summary}</p>
        <div className="run-bars" role="img" aria-label={fill(t.trend, { name, summary })}>
          {value.map((run) => (
            <i
              key={run.start}
              className={run.status}
              title={`${statusWord(run.status)} ${words(run)}`}
              style={{ blockSize: `${Math.max(LOWEST, (tookOf(run) / longest) * 100)}%` }}
            />
          ))}
        </div>
      </div>
      <ol className="run-list" reversed aria-label={t.newest}>
        {value
          .slice(-LISTED)
          .reverse()
          .map((run) => (
            <li key={run.start}>
              <StatusGlyph status={run.status} />
              <span>
                <span className="run-word">{statusWord(run.status)}</span> {words(run)}
              </span>
            </li>
          ))}
      </ol>
    </>
  );
}
