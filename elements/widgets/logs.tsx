/** Log of a run. Shows its end first; earlier entries on demand. */

import { filterLogs, inOrder, LOG_TAIL, type LogEntry, logBadge } from '@tiding/client/widgets';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatInteger } from '../result/parts/numbers.ts';
import { useSheets } from '../runtime/use-sheets.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { FilterField, LabelledSelect } from '../ui/page.tsx';
import logsSheet from './logs.css';
import { logsTexts as t } from './logs-texts.ts';
import { ColourBadge, TimeText } from './parts.tsx';

const sheets = [logsSheet];
/** Minimum number of entries for a filter to be shown. */
const MIN_ENTRIES_FOR_FILTER = 10;
/** Delay between the last key and filtering, in ms (specification). */
const FILTER_MS = 300;

/** Log entries in order: the newest {@link LOG_TAIL}, filtered by text and type. */
export function Logs({ logs, label = t.log }: { logs: readonly LogEntry[]; label?: string }) {
  useSheets(sheets);
  const [contains, setContains] = useState('');
  const [type, setType] = useState('');
  const [most, setMost] = useState(LOG_TAIL);
  const scroller = useRef<HTMLDivElement>(null);
  const ordered = useMemo(() => inOrder(logs), [logs]);
  const types = useMemo(
    () => [...new Set(ordered.flatMap(({ eventType }) => eventType || []))].sort(),
    [ordered],
  );
  const tasks = useMemo(() => ordered.some(({ taskName }) => taskName), [ordered]);
  const fitting = useMemo(() => filterLogs(ordered, contains, type), [ordered, contains, type]);
  const first = Math.max(0, fitting.length - most);
  // Scroll to the end first; users who scrolled up stay there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries have another end
  useLayoutEffect(() => {
    if (most === LOG_TAIL && scroller.current)
      scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [fitting, most]);
  if (logs.length === 0) return <p className="dim">{t.empty}</p>;
  return (
    <div className="log">
      {logs.length < MIN_ENTRIES_FOR_FILTER ? null : (
        <div className="page-tools">
          <FilterField label={t.filter} value={contains} onValue={setContains} delay={FILTER_MS} />
          {types.length < 2 ? null : (
            <LabelledSelect
              label={t.type}
              value={types.includes(type) ? type : ''}
              options={[
                { value: '', label: t.all },
                ...types.map((each) => ({ value: each, label: each })),
              ]}
              onValue={setType}
            />
          )}
          <span className="dim" role="status">
            {fitting.length === ordered.length
              ? ''
              : fill(t.shown, {
                  shown: formatInteger(fitting.length),
                  all: formatInteger(ordered.length),
                })}
          </span>
        </div>
      )}
      {first > 0 ? (
        <Button kind="secondary" size="sm" onClick={() => setMost(most + LOG_TAIL)}>
          {fill(t.earlier, { n: formatInteger(Math.min(LOG_TAIL, first)) })}
        </Button>
      ) : null}
      {fitting.length === 0 ? (
        <p className="dim">{t.none}</p>
      ) : (
        <div ref={scroller} className="log-scroll" role="region" aria-label={label} tabIndex={0}>
          {/* Explicit roles, because narrow rows are not displayed as a table. */}
          <table role="table">
            <thead role="rowgroup">
              <tr role="row">
                {[t.time, t.type, ...(tasks ? [t.task] : []), t.message].map((column) => (
                  <th key={column} role="columnheader" scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {fitting.slice(first).map(({ eventTime, eventType, taskName, message }, at) => (
                <tr key={first + at} role="row">
                  <td role="cell" className="log-time">
                    {eventTime === undefined ? null : <TimeText at={eventTime} />}
                  </td>
                  <td role="cell">
                    {eventType ? (
                      <ColourBadge colour={logBadge(eventType)}>{eventType}</ColourBadge>
                    ) : null}
                  </td>
                  {tasks ? (
                    <td role="cell" dir="auto">
                      {taskName}
                    </td>
                  ) : null}
                  <td role="cell" className="log-message" dir="auto">
                    {message}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
