import type {
  AlertCondition,
  AlertEvent,
  AlertState,
  ScheduleAlerts,
} from '@tiding/client/protocol';
import { useEffect, useState } from 'react';
import { noteErrorText } from '../../note-list/note-error.ts';
import { fill } from '../../text/fill.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { onSubmit } from '../../ui/fields/form-events.ts';
import {
  Choice,
  LabelledCheckbox,
  LabelledChoice,
  LabelledField,
} from '../../ui/fields/labelled.tsx';
import { useNoteUi } from '../ui/note-ui.ts';
import { alertTexts as t } from './alert-texts.ts';

const events = ['failure', 'missed', 'condition'] as const;
const aggregates = ['first', 'min', 'max', 'sum', 'count'] as const;
const comparisons = ['<', '<=', '=', '!=', '>=', '>'] as const;
const MAX_RETRIES = 5;
const SHOWN_TEXT = 50;

/** The alerts as the user edits them. */
interface Draft {
  readonly on: readonly AlertEvent[];
  readonly condition: AlertCondition;
  readonly mail: string;
  readonly webhook: string;
  readonly retries: number;
}

const draftOf = ({ condition, mail, webhook = '', ...alerts }: ScheduleAlerts, first: string) => ({
  ...alerts,
  condition: condition ?? { paragraph: first, column: '', aggregate: 'first', is: '<', value: '' },
  mail: mail.join(', '),
  webhook,
});

/** The alerts of the schedule, as a part of its dialog. They have a button that saves them. */
export function Alerts() {
  const ui = useNoteUi();
  const { client, note } = ui;
  const [state, setState] = useState<AlertState>();
  const [draft, setDraft] = useState<Draft>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    void ui.messages.act(async () => {
      const loaded = await client.jobs.alerts(note.id);
      setState(loaded);
      setDraft(draftOf(loaded.alerts, note.paragraphs[0]?.id ?? ''));
    });
  }, [client, note, ui]);
  if (!state || !draft) return null;

  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const { on, condition } = draft;
  const changeCondition = (part: Partial<AlertCondition>) =>
    change({ condition: { ...condition, ...part } });
  const submit = async (act: (alerts: ScheduleAlerts) => Promise<void>) => {
    setProblem(undefined);
    const webhook = draft.webhook.trim();
    try {
      await act({
        on: [...on],
        mail: draft.mail.split(/[\s,;]+/).filter(Boolean),
        retries: draft.retries,
        ...(webhook === '' ? {} : { webhook }),
        ...(on.includes('condition') ? { condition } : {}),
      });
    } catch (error) {
      setProblem(noteErrorText(error));
    }
  };
  const save = () =>
    submit(async (alerts) => {
      await client.jobs.setAlerts(note.id, alerts);
      setState(await client.jobs.alerts(note.id));
      ui.messages.success(t.saved);
    });
  const test = () =>
    void submit(async (alerts) => {
      const { problem } = await client.jobs.testAlerts(note.id, alerts);
      if (problem) setProblem(fill(t.problem, { problem }));
      else ui.messages.success(t.tested);
    });
  const { alerts, last, sendsMail } = state;
  const paragraphs = note.paragraphs.map(({ id, state: { server } }, index) => {
    const name = (server.title || server.text || '').replaceAll(/\s+/g, ' ');
    return [id, `${index + 1}: ${name.slice(0, SHOWN_TEXT)}`] as const;
  });
  return (
    <details>
      <summary>
        {fill(t.summary, { events: alerts.on.map((event) => t[event]).join(', ') || t.off })}
      </summary>
      <form className="dialog-form" onSubmit={onSubmit(save)}>
        <p className="dialog-text">{t.lead}</p>
        {events.map((event) => (
          <LabelledCheckbox
            key={event}
            label={t[event]}
            checked={on.includes(event)}
            onChange={(checked) =>
              change({ on: checked ? [...on, event] : on.filter((each) => each !== event) })
            }
          />
        ))}
        {on.includes('condition') ? (
          <>
            <LabelledChoice
              label={t.paragraph}
              value={condition.paragraph}
              options={paragraphs}
              onValue={(paragraph) => changeCondition({ paragraph })}
            />
            <LabelledField
              label={t.column}
              value={condition.column}
              onValue={(column) => changeCondition({ column })}
            />
            <div className="copy-row">
              <Choice
                aria-label={t.aggregate}
                value={condition.aggregate}
                options={aggregates.map((each) => [each, t.aggregates[each]])}
                onValue={(value) =>
                  changeCondition({ aggregate: aggregates.find((each) => each === value)! })
                }
              />
              <Choice
                aria-label={t.is}
                value={condition.is}
                options={comparisons}
                onValue={(value) =>
                  changeCondition({ is: comparisons.find((each) => each === value)! })
                }
              />
              <span className="input">
                <input
                  aria-label={t.value}
                  value={condition.value}
                  onChange={({ target }) => changeCondition({ value: target.value })}
                />
              </span>
            </div>
          </>
        ) : null}
        <LabelledField
          ltr
          label={t.mail}
          value={draft.mail}
          hint={sendsMail ? t.mailHint : t.noMail}
          onValue={(mail) => change({ mail })}
        />
        <LabelledField
          ltr
          label={t.webhook}
          value={draft.webhook}
          hint={t.webhookHint}
          onValue={(webhook) => change({ webhook })}
        />
        <LabelledChoice
          label={t.retries}
          value={String(draft.retries)}
          options={Array.from({ length: MAX_RETRIES + 1 }, (_, count) => [
            String(count),
            count === 0 ? t.never : count === 1 ? t.once : fill(t.times, { count }),
          ])}
          onValue={(retries) => change({ retries: Number(retries) })}
        />
        {problem === undefined ? null : <Alert>{problem}</Alert>}
        {last ? (
          <p className={last.problem ? 'hint error' : 'hint'}>
            {fill(t.last, { text: last.text, time: new Date(last.time).toLocaleString() })}
            {last.problem ? ` ${fill(t.problem, { problem: last.problem })}` : ''}
          </p>
        ) : null}
        <div className="dialog-actions">
          <Button kind="secondary" onClick={test}>
            {t.test}
          </Button>
          <Button kind="secondary" type="submit">
            {t.save}
          </Button>
        </div>
      </form>
    </details>
  );
}
