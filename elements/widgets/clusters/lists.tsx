/** Schedules, subscriptions and instances of a cluster. */

import {
  newestFirst,
  type Schedule,
  type Subscription,
  timeOf,
  type WidgetData,
} from '@tiding/client/widgets';
import { useMemo } from 'react';
import { clustersTexts } from '../../text/widgets/clusters.ts';
import { cronText } from '../cron.tsx';
import { filledColumns } from '../filled-columns.ts';
import { HealthBadge, ObjectLink, RecordTable, StateBadge, TimeText } from '../parts.tsx';
import { ObjectName } from '../security/permission-table.tsx';
import { listed } from '../sentences.ts';

const t = clustersTexts;

/** Schedules, newest first. */
export function Schedules({ schedules }: { schedules: readonly Schedule[] }) {
  const rows = useMemo(() => newestFirst(schedules, ({ startTime }) => startTime), [schedules]);
  return (
    <RecordTable
      label={t.schedules}
      rows={rows}
      columns={filledColumns(rows, [
        {
          id: 'name',
          label: t.name,
          value: ({ name }) => name,
          cell: ({ name }) => <ObjectLink widget="job-schedule" name={name} />,
        },
        { id: 'action', label: t.action, value: ({ clusterAction }) => clusterAction },
        {
          id: 'when',
          label: t.when,
          value: ({ expression }) => expression,
          cell: (schedule) => <Expression of={schedule} />,
        },
        { id: 'zone', label: t.timeZone, value: ({ timeZone }) => timeZone },
        {
          id: 'state',
          label: t.state,
          value: ({ state }) => state,
          cell: ({ state }) => <StateBadge state={state} />,
        },
        {
          id: 'next',
          label: t.nextRun,
          value: ({ nextRunTime: at }) => timeOf(at) ?? at,
          cell: ({ nextRunTime }) => <TimeText at={nextRunTime} />,
        },
        {
          id: 'from',
          label: t.from,
          value: ({ startTime: at }) => timeOf(at) ?? at,
          cell: ({ startTime }) => <TimeText at={startTime} />,
        },
        {
          id: 'until',
          label: t.until,
          value: ({ endTime: at }) => timeOf(at) ?? at,
          cell: ({ endTime }) => <TimeText at={endTime} />,
        },
        {
          id: 'user',
          label: t.user,
          value: ({ userName }) => userName,
          cell: ({ userName }) => <ObjectLink widget="user" name={userName} />,
        },
        { id: 'description', label: t.description, value: ({ description }) => description },
      ])}
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
  const rows = useMemo(
    () => newestFirst(subscriptions, ({ startTime }) => startTime),
    [subscriptions],
  );
  return (
    <RecordTable
      label={t.subscriptions}
      rows={rows}
      columns={filledColumns(rows, [
        {
          id: 'name',
          label: t.name,
          value: ({ name }) => name,
          cell: ({ name }) => <ObjectLink widget="subscription" name={name} />,
        },
        { id: 'events', label: t.events, value: ({ eventTypes }) => listed(eventTypes) },
        { id: 'recipients', label: t.recipients, value: ({ recipients }) => listed(recipients) },
        { id: 'channel', label: t.channel, value: ({ channel }) => channel },
        {
          id: 'about',
          label: t.about,
          value: ({ objectName }) => objectName,
          cell: ({ objectType, objectName }) => <ObjectName type={objectType} name={objectName} />,
        },
        {
          id: 'state',
          label: t.state,
          value: ({ state }) => state,
          cell: ({ state }) => <StateBadge state={state} />,
        },
        {
          id: 'from',
          label: t.from,
          value: ({ startTime: at }) => timeOf(at) ?? at,
          cell: ({ startTime }) => <TimeText at={startTime} />,
        },
        { id: 'description', label: t.description, value: ({ description }) => description },
      ])}
    />
  );
}

/** Instances of the cluster. */
export function Instances({ instances }: { instances: WidgetData<'cluster'>['instances'] }) {
  return (
    <RecordTable
      label={t.instances}
      rows={instances}
      columns={filledColumns(instances, [
        { id: 'instance', label: t.instance, value: ({ instanceId }) => instanceId },
        { id: 'role', label: t.role, value: ({ role }) => role },
        {
          id: 'state',
          label: t.state,
          value: ({ state }) => state,
          cell: ({ state }) => <StateBadge state={state} />,
        },
        {
          id: 'health',
          label: t.health,
          value: ({ health }) => health,
          cell: ({ health }) => <HealthBadge health={health} />,
        },
      ])}
    />
  );
}
