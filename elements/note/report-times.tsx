import type { NoteState } from '@tiding/client';
import { parseDate } from '@tiding/client/model';
import { useEffect, useState } from 'react';
import { fill } from '../text/fill.ts';
import { momentText } from '../text/moment-text.ts';
import { noteTexts } from '../text/note-texts.ts';
import { useNoteState, useNoteUi } from './ui/note-ui.ts';

/** Returns when the last run of any paragraph ended, in ms since 1970; 0 if none has. */
function lastUpdate(note: NoteState | undefined): number {
  let last = 0;
  for (const { server } of Object.values(note?.paragraphs ?? {}))
    if (server.status === 'FINISHED')
      last = Math.max(last, parseDate(server.dateFinished)?.getTime() ?? 0);
  return last;
}

/** Says when the results of a report were updated, and how often they are. */
export default function ReportTimes() {
  const ui = useNoteUi();
  const last = useNoteState(ui, lastUpdate);
  const cron = useNoteState(ui, (note) => note?.config.cron ?? '');
  const [words, setWords] = useState('');
  useEffect(() => {
    if (cron === '') setWords('');
    // The code that words an expression is large, and most reports have no schedule.
    else
      void import('../ui/cron-sentence.ts').then(({ cronSentence }) =>
        setWords(cronSentence(cron)),
      );
  }, [cron]);
  if (last === 0) return null;
  const date = new Date(last);
  return (
    <>
      <time
        dateTime={date.toISOString()}
        title={date.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'long' })}
      >
        {fill(noteTexts.updated, { time: momentText(last) })}
      </time>
      {words === '' ? null : ` · ${words}`}
    </>
  );
}
