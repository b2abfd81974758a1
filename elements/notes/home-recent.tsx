import type { Client, NoteEntry } from '@tiding/client';
import { isRunning, noteTitle, parseDate, relativeTime } from '@tiding/client/model';
import { History, type LucideIcon, Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { noteListTexts } from '../note-list/texts.ts';
import { fill } from '../text/fill.ts';
import { Icon } from '../ui/button.tsx';
import { StatusGlyph, statusLabel } from '../ui/status.tsx';
import { homeTexts } from './texts.ts';

interface CardsProps {
  client: Client;
  notes: readonly NoteEntry[];
  href: (id: string) => string;
  onOpen: (id: string) => boolean;
}

/** The notes opened most recently in this browser, with how their last run ended. */
export const RecentNotes = (props: CardsProps) => (
  <Cards {...props} title={noteListTexts.recent} icon={History} hasRuns />
);

/** The notes that were installed with the server. */
export const SampleNotes = (props: CardsProps) => (
  <Cards {...props} title={homeTexts.samples} icon={Sparkles} />
);

function Cards({
  client,
  notes,
  href,
  onOpen,
  title,
  icon,
  hasRuns,
}: CardsProps & { title: string; icon: LucideIcon; hasRuns?: boolean }) {
  if (notes.length === 0) return null;
  return (
    <section className="home-cards">
      <h2 className="section-head">
        <Icon of={icon} size="sm" />
        {title}
      </h2>
      <ul className="recent">
        {notes.map(({ id, path }) => (
          <li key={id}>
            <a
              className="recent-card"
              href={href(id)}
              onClick={(event) =>
                !event.ctrlKey && !event.metaKey && !onOpen(id) && event.preventDefault()
              }
            >
              <b>{noteTitle({ id, name: path })}</b>
              <span>{path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '\u00a0'}</span>
              {hasRuns ? <LastRun client={client} noteId={id} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Delay before the last run of a note is requested, in ms: the page is painted first, and a note
 * that was just removed has left the list.
 */
const LAST_RUN_DELAY_MS = 500;

/** When and how the last run of a note ended; empty until known, and if it never ran. */
function LastRun({ client, noteId }: { client: Client; noteId: string }) {
  const [run, setRun] = useState<{ status: string; at: Date }>();
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const ask = (): void => {
      client.call('noteJob', { params: { noteId }, signal }).then(
        (answer) => setRun(lastRun('paragraphs' in answer ? answer.paragraphs : answer)),
        () => {
          // The card is useful without it.
        },
      );
    };
    const timer = setTimeout(ask, LAST_RUN_DELAY_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [client, noteId]);
  if (!run) return <span className="recent-run">{'\u00a0'}</span>;
  return (
    <span className="recent-run" title={run.at.toLocaleString()}>
      <StatusGlyph status={run.status} />
      {fill(homeTexts.lastRun, {
        status: statusLabel(run.status),
        when: relativeTime(run.at, new Date()),
      })}
    </span>
  );
}

/** Order in which a status describes the whole note. */
const WORST_FIRST = ['ERROR', 'ABORT', 'FINISHED'];

/** Returns the state of a note by the states of its paragraphs; `undefined` if none was run. */
function lastRun(
  paragraphs: readonly { status: string; started?: string; finished?: string }[],
): { status: string; at: Date } | undefined {
  const times = paragraphs.flatMap(({ started, finished }) => parseDate(finished ?? started) ?? []);
  const status = paragraphs.some((each) => isRunning(each.status))
    ? 'RUNNING'
    : WORST_FIRST.find((each) => paragraphs.some((paragraph) => paragraph.status === each));
  if (status === undefined || times.length === 0) return undefined;
  return { status, at: new Date(Math.max(...times.map(Number))) };
}
