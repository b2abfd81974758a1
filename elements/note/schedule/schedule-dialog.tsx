import { cronPresets, isAnonymous } from '@tiding/client/model';
import type { NoteConfig } from '@tiding/client/protocol';
import { parseQuartz } from '@tiding/client/schedules';
import { useEffect, useState } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import { fill } from '../../text/fill.ts';
import { cronSentence } from '../../ui/cron-sentence.ts';
import { CloseAction, ContentDialog } from '../../ui/dialogs.tsx';
import { LabelledCheckbox, LabelledChoice } from '../../ui/fields/labelled.tsx';
import { useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { Alerts } from './alerts.tsx';
import { scheduleTexts as t } from './texts.ts';

/** Delay after the last key in the expression field before it is saved, in ms (specification). */
const FIELD_MS = 1_000;
const SHOWN_RUNS = 3;

/** Describes an expression in words, with its next runs or its error. */
function explain(
  cron: string,
  timeZone: string | undefined,
): { words?: string; next: Date[]; error?: string } {
  if (cron.trim() === '') return { next: [] };
  try {
    const schedule = parseQuartz(cron, timeZone);
    const next: Date[] = [];
    for (
      let after = new Date(), due = schedule.next(after);
      due && next.length < SHOWN_RUNS;
      due = schedule.next(after)
    ) {
      next.push(due);
      after = due;
    }
    return { words: cronSentence(cron), next };
  } catch (error) {
    return { next: [], error: (error as Error).message };
  }
}

/** Dialog for the note's schedule. Every change is saved immediately. */
export function ScheduleDialog({ onClose }: { onClose: () => void }) {
  const ui = useNoteUi();
  const { client, note } = ui;
  const config = useNoteState(ui, (now) => now?.config) ?? {};
  const problem = useNoteState(ui, (now) => now?.info['cron'] as string | undefined);
  const [typed, setTyped] = useState(config.cron ?? '');
  useEffect(() => {
    setTyped(config.cron ?? '');
  }, [config.cron]);
  const zone = config.cronTimeZone || undefined;
  const { words, next, error } = explain(typed, zone);

  const person = client.session.current;
  const save = (change: NoteConfig) => void ui.messages.act(() => note.configure(change));
  // 'None' clears the executing user; otherwise the note runs as the user who sets the schedule
  // (specification).
  const schedule = useEvent((cron: string) =>
    save({
      cron,
      cronExecutingUser: cron === '' || isAnonymous(person?.principal) ? '' : person!.principal,
      cronExecutingRoles: cron === '' ? '' : JSON.stringify(client.session.roles),
    }),
  );
  useEffect(() => {
    if (typed === (config.cron ?? '') || error !== undefined) return undefined;
    const timer = setTimeout(() => schedule(typed.trim()), FIELD_MS);
    return () => clearTimeout(timer);
  }, [typed, config.cron, error, schedule]);

  const shown = new Intl.DateTimeFormat(undefined, {
    dateStyle: 'full',
    timeStyle: 'long',
    ...(zone ? { timeZone: zone } : {}),
  });
  return (
    <ContentDialog title={t.title} onClose={onClose}>
      <p className="dialog-text">{t.lead}</p>
      <div className="segments" role="radiogroup" aria-label={t.preset}>
        {cronPresets.map(({ name, cron = '' }) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={(config.cron ?? '') === cron}
            onClick={() => schedule(cron)}
          >
            {name}
          </button>
        ))}
      </div>
      <label className="field">
        <span className="label">{t.expression}</span>
        <span className={(error ?? problem) ? 'input error' : 'input'}>
          <input
            value={typed}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={(error ?? problem) !== undefined}
            aria-describedby="schedule-words"
            onChange={(event) => setTyped(event.target.value)}
          />
        </span>
        <span
          id="schedule-words"
          className={(error ?? problem) ? 'hint error' : 'hint'}
          role="status"
        >
          {error ?? problem ?? words ?? ''}
        </span>
      </label>
      {client.state.server?.tiding ? (
        <LabelledChoice
          label={t.zone}
          value={zone ?? ''}
          options={[['', t.serverZone], ...Intl.supportedValuesOf('timeZone')]}
          onValue={(cronTimeZone) => save({ cronTimeZone })}
        />
      ) : null}
      {typed.trim() !== '' && error === undefined ? (
        <div className="field">
          <span className="label">{t.next}</span>
          {next.length === 0 ? (
            <span className="hint">{t.never}</span>
          ) : (
            <ol className="next-runs">
              {next.map((due) => (
                <li key={due.getTime()}>
                  <time dateTime={due.toISOString()}>{shown.format(due)}</time>
                </li>
              ))}
            </ol>
          )}
          {config.cronExecutingUser ? (
            <span className="hint">{fill(t.user, { user: config.cronExecutingUser })}</span>
          ) : null}
        </div>
      ) : null}
      <LabelledCheckbox
        label={t.release}
        checked={config.releaseresource === true}
        onChange={(releaseresource) => save({ releaseresource })}
      />
      {client.state.server?.tiding && config.cron ? <Alerts /> : null}
      <CloseAction onClose={onClose} />
    </ContentDialog>
  );
}
