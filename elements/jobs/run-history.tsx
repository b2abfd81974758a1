import type { Client } from '@tiding/client';
import { formatDate, shortDuration } from '@tiding/client/model';
import type { NoteRun } from '@tiding/client/protocol';
import { useEffect, useRef } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { StatusHint } from '../ui/hints.tsx';
import { LoadFailed } from '../ui/loading.tsx';
import { serverMessageOf, useLoaded } from '../ui/page.tsx';
import { StatusGlyph, statusLabel } from '../ui/status.tsx';
import { jobTexts } from './texts.ts';

const t = jobTexts.runs;
/** Number of runs listed as text beside the bars. */
const LISTED_RUNS = 5;
/** Minimum bar height in percent, so that a run of 0 ms is still visible. */
const MIN_BAR_PERCENT = 6;

const tookOf = ({ start, end }: NoteRun): number => Math.max(0, end - start);
const when = ({ start }: NoteRun): string => formatDate(new Date(start), 'MMMM DD YYYY, h:mm:ss A');

/** Median duration in ms; the mean of the two middle values for an even number of runs. */
function medianOf(runs: readonly NoteRun[]): number {
  const all = runs.map(tookOf).sort((a, b) => a - b);
  const middle = Math.floor(all.length / 2);
  return all.length % 2 === 1 ? all[middle]! : ((all[middle - 1] ?? 0) + (all[middle] ?? 0)) / 2;
}

interface RunHistoryChartProps {
  client: Client;
  noteId: string;
  name: string;
  running: boolean;
}

/**
 * Durations of a note's last runs as bars, newest last, with the newest listed as text. Reloads
 * when `running` turns false.
 */
export function RunHistoryChart({ client, noteId, name, running }: RunHistoryChartProps) {
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
      <StatusHint>{commonTexts.loading}</StatusHint>
    ) : (
      <LoadFailed onRetry={() => void reload()}>
        <span>{serverMessageOf(error, t.notLoaded)}</span>
      </LoadFailed>
    );
  if (value.length === 0) return <StatusHint>{t.none}</StatusHint>;
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
              title={`${statusLabel(run.status)} ${words(run)}`}
              style={{ blockSize: `${Math.max(MIN_BAR_PERCENT, (tookOf(run) / longest) * 100)}%` }}
            />
          ))}
        </div>
      </div>
      <ol className="run-list" reversed aria-label={t.newest}>
        {value
          .slice(-LISTED_RUNS)
          .reverse()
          .map((run) => (
            <li key={run.start}>
              <StatusGlyph status={run.status} />
              <span>
                <span className="run-word">{statusLabel(run.status)}</span> {words(run)}
              </span>
            </li>
          ))}
      </ol>
    </>
  );
}
