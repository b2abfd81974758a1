import type { Client } from '@tiding/client';
import type { JobEntry } from '@tiding/client/protocol';
import { useMemo, useState } from 'react';
import { appUrl as appPage } from '../runtime/app-url.ts';
import { clientView } from '../runtime/client-view.tsx';
import { emitEvent } from '../runtime/define-element.ts';
import { useEvent } from '../runtime/hooks.ts';
import { whyNot } from '../runtime/note-right.ts';
import { useNoteRights } from '../runtime/use-note-rights.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { ForcedChoiceDialog, useQuestion } from '../ui/dialogs.tsx';
import {
  EmptyState,
  entriesOnPage,
  FilterField,
  LabelledSelect,
  NoMatch,
  Page,
  PageProblem,
  Pager,
  pageSheet,
  Switch,
  serverMessageOf,
} from '../ui/page.tsx';
import { useNow } from '../ui/use-now.ts';
import { JobRow } from './job-row.tsx';
import sheet from './jobs.css';
import { interpretersOf, type JobFilter, selectJobs } from './select-jobs.ts';
import { jobTexts as t } from './texts.ts';
import { useJobs } from './use-jobs.ts';

export const sheets = [pageSheet, sheet];

/** Delay between the last key and applying the filter, in ms (specification). */
const FILTER_MS = 300;

export default clientView(JobManager);

function JobManager({ client, host }: { client: Client; host: HTMLElement }) {
  const jobs = useJobs(client);
  if (jobs.loading)
    return (
      <Page title={t.title}>
        <div className="page-empty" role="status">
          <span>{t.loading}</span>
        </div>
      </Page>
    );
  if (!jobs.value)
    return <PageProblem title={t.title} host={host} loaded={jobs} fallback={t.notLoaded} />;
  return <JobList client={client} host={host} jobs={jobs.value} />;
}

interface JobListProps {
  client: Client;
  host: HTMLElement;
  jobs: readonly JobEntry[];
}

function JobList({ client, host, jobs }: JobListProps) {
  const [choice, setChoice] = useState<JobFilter>({
    name: '',
    interpreter: undefined,
    sort: 'recent',
    runningOnTop: true,
    scheduledOnly: false,
  });
  const [wanted, setWanted] = useState(1);
  const [confirm, question] = useQuestion();
  const [failure, setFailure] = useState<{ title: string; message: string }>();
  const [busy, setBusy] = useState<ReadonlyMap<string, 'start' | 'stop'>>(new Map());
  const [rights, onReach] = useNoteRights(client);
  const now = useNow();
  const base = appPage(client);
  const fitting = useMemo(() => selectJobs(jobs, choice), [jobs, choice]);
  const running = useMemo(() => jobs.filter(({ isRunningJob }) => isRunningJob).length, [jobs]);
  const { shown, page } = entriesOnPage(fitting, wanted);
  const choose = (change: Partial<JobFilter>): void => {
    setChoice((before) => ({ ...before, ...change }));
    setWanted(1);
  };
  const onOpen = useEvent((noteId: string, paragraphId?: string) =>
    emitEvent(host, 'tiding-open-note', {
      noteId,
      ...(paragraphId === undefined ? {} : { paragraphId }),
    }),
  );
  const onAsk = useEvent(async (kind: 'start' | 'stop', { noteId }: JobEntry): Promise<void> => {
    const [text, action] = kind === 'start' ? [t.confirmRun, t.run] : [t.confirmStop, t.stop];
    if (!(await confirm({ title: t.dialog, text, action }))) return;
    setBusy((before) => new Map(before).set(noteId, kind));
    try {
      // Some servers answer only after all paragraphs have finished, so there is no timeout.
      await (kind === 'start'
        ? client.jobs.start(noteId, { timeout: 0 })
        : client.jobs.stop(noteId));
    } catch (error) {
      setFailure({
        title: kind === 'start' ? t.executionFailure : t.stopFailure,
        message: serverMessageOf(error, t.serverError),
      });
    }
    setBusy(
      (before) => new Map([...before].filter(([id, what]) => id !== noteId || what !== kind)),
    );
  });
  return (
    <Page
      title={t.title}
      aside={
        running > 0
          ? fill(t.totalRunning, { running, total: jobs.length })
          : fill(t.total, { total: jobs.length })
      }
    >
      <div className="page-tools job-tools">
        <FilterField
          label={t.filter}
          value={choice.name}
          onValue={(name) => choose({ name })}
          delay={FILTER_MS}
        />
        <InterpreterSelect
          jobs={jobs}
          value={choice.interpreter}
          onValue={(interpreter) => choose({ interpreter })}
        />
        <LabelledSelect
          label={t.sort}
          value={choice.sort}
          options={[
            { value: 'recent', label: t.recent },
            { value: 'oldest', label: t.oldest },
          ]}
          onValue={(sort) => choose({ sort: sort as JobFilter['sort'] })}
        />
        <span className="grow wide" />
        <Switch
          label={t.runningOnTop}
          checked={choice.runningOnTop}
          onChange={(runningOnTop) => choose({ runningOnTop })}
        />
        <Switch
          label={t.scheduledOnly}
          checked={choice.scheduledOnly}
          onChange={(scheduledOnly) => choose({ scheduledOnly })}
        />
      </div>
      {jobs.length === 0 ? (
        <EmptyState>{t.none}</EmptyState>
      ) : fitting.length === 0 ? (
        <NoMatch
          onClear={() => choose({ name: '', interpreter: undefined, scheduledOnly: false })}
        />
      ) : (
        <>
          <div
            role="table"
            aria-label={t.title}
            aria-rowcount={fitting.length + 1}
            className="card jobs"
          >
            <div role="row" className="job-head">
              <span role="columnheader">
                <span className="visually-hidden">{t.columns.type}</span>
              </span>
              {(['note', 'interpreter', 'paragraphs', 'lastRun', 'state', 'progress'] as const).map(
                (name) => (
                  <span key={name} role="columnheader">
                    {t.columns[name]}
                  </span>
                ),
              )}
              <span role="columnheader">
                <span className="visually-hidden">{t.columns.action}</span>
              </span>
            </div>
            {shown.map((job) => (
              <JobRow
                key={job.noteId}
                client={client}
                job={job}
                now={now}
                base={base}
                busy={busy.get(job.noteId) === (job.isRunningJob ? 'stop' : 'start')}
                onAsk={onAsk}
                disabledReason={whyNot(rights.get(job.noteId) ?? 'owner', 'runner')}
                onReach={onReach}
                onOpen={onOpen}
              />
            ))}
          </div>
          <Pager page={page} total={fitting.length} onPage={setWanted} />
        </>
      )}
      {failure ? (
        <ForcedChoiceDialog
          {...failure}
          choices={[{ label: commonTexts.close, onChoose: () => setFailure(undefined) }]}
        />
      ) : null}
      {question}
    </Page>
  );
}

interface InterpreterSelectProps {
  jobs: readonly JobEntry[];
  value: JobFilter['interpreter'];
  onValue: (value: JobFilter['interpreter']) => void;
}

function InterpreterSelect({ jobs, value, onValue }: InterpreterSelectProps) {
  const present = useMemo(() => interpretersOf(jobs), [jobs]);
  // The selected interpreter stays in the list even when its last job is gone.
  const names =
    typeof value === 'string' && !present.includes(value) ? [value, ...present] : present;
  // Interpreter names are arbitrary and may equal the value of the other two options.
  return (
    <LabelledSelect
      label={t.interpreter}
      value={value === undefined ? 'all' : value === null ? 'none' : `is:${value}`}
      options={[
        { value: 'all', label: t.all },
        ...names.map((name) => ({ value: `is:${name}`, label: name })),
        { value: 'none', label: t.noInterpreter },
      ]}
      onValue={(chosen) =>
        onValue(
          chosen === 'all' ? undefined : chosen === 'none' ? null : chosen.slice('is:'.length),
        )
      }
    />
  );
}
