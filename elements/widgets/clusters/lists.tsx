/** Schedules, subscriptions and instances of a cluster. */

import type { Schedule, Subscription, WidgetData } from '@tiding/client/widgets';
import { useMemo } from 'react';
import { cronText } from '../cron.tsx';
import { HealthBadge, RecordTable } from '../parts.tsx';

import { listed } from '../sentences.ts';
import { clustersTexts as t } from './texts.ts';

/** Schedules, newest first. */
export function Schedules({ schedules }: { schedules: readonly Schedule[] }) {
  return (
    <RecordTable
      label={t.schedules}
      rows={schedules}
      newest={({ startTime }) => startTime}
      columns={[
        { label: t.name, link: 'job-schedule', value: ({ name }) => name },
        { label: t.action, value: ({ clusterAction }) => clusterAction },
        {
          label: t.when,
          value: ({ expression }) => expression,
          cell: (schedule) => <Expression of={schedule} />,
        },
        { label: t.timeZone, value: ({ timeZone }) => timeZone },
        { label: t.state, state: ({ state }) => state },
        { label: t.nextRun, time: ({ nextRunTime }) => nextRunTime },
        { label: t.from, time: ({ startTime }) => startTime },
        { label: t.until, time: ({ endTime }) => endTime },
        { label: t.user, link: 'user', value: ({ userName }) => userName },
        { label: t.description, value: ({ description }) => description },
      ]}
    />
  );
}

/** A cron expression with its description. */
function Expression({ of: { expression, timeZone } }: { of: Schedule }) {
  const words = useMemo(() => expression && cronText(expression, timeZone), [expression, timeZone]);
  return (
    <>
      {words ? <div className="expression-words">{words}</div> : null}
      {expression ? <code className="dim">{expression}</code> : null}
    </>
  );
}

/** Subscriptions, newest first. */
export function Subscriptions({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  return (
    <RecordTable
      label={t.subscriptions}
      rows={subscriptions}
      newest={({ startTime }) => startTime}
      columns={[
        { label: t.name, link: 'subscription', value: ({ name }) => name },
        { label: t.events, value: ({ eventTypes }) => listed(eventTypes) },
        { label: t.recipients, value: ({ recipients }) => listed(recipients) },
        { label: t.channel, value: ({ channel }) => channel },
        { label: t.about, object: ({ objectType, objectName }) => [objectType, objectName] },
        { label: t.state, state: ({ state }) => state },
        { label: t.from, time: ({ startTime }) => startTime },
        { label: t.description, value: ({ description }) => description },
      ]}
    />
  );
}

export function Instances({ instances }: { instances: WidgetData<'cluster'>['instances'] }) {
  return (
    <RecordTable
      label={t.instances}
      rows={instances}
      columns={[
        { label: t.instance, value: ({ instanceId }) => instanceId },
        { label: t.role, value: ({ role }) => role },
        { label: t.state, state: ({ state }) => state },
        {
          label: t.health,
          value: ({ health }) => health,
          cell: ({ health }) => <HealthBadge health={health} />,
        },
      ]}
    />
  );
}
