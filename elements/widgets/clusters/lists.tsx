/** What is planned for a cluster, who is told of it, and the machines it has. */
import { useMemo } from 'react';
import {
  newestFirst,
  timeOf,
  type Schedule,
  type Subscription,
  type WidgetData,
} from 'tiding/widgets';
import { text } from '../../text/en.ts';
import { filled } from '../filled.ts';
import { HealthBadge, ObjectLink, RecordTable, StateBadge, When } from '../parts.tsx';
import { ObjectName } from '../security/permission-table.tsx';
import { listed } from '../words.ts';
import { cronWords } from '../cron.tsx';

const t = text.widgets.clusters;

/** Its schedules, the newest first. */
export function Schedules({ schedules }: { schedules: readonly Schedule[] }) {
  const rows = useMemo(() => newestFirst(schedules, ({ startTime }) => startTime), [schedules]);
  return (
    <RecordTable
      label={t.schedules}
      rows={rows}
      columns={filled(rows, [
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
          cell: ({ nextRunTime }) => <When at={nextRunTime} />,
        },
        {
          id: 'from',
          label: t.from,
          value: ({ startTime: at }) => timeOf(at) ?? at,
          cell: ({ startTime }) => <When at={startTime} />,
        },
        {
          id: 'until',
          label: t.until,
          value: ({ endTime: at }) => timeOf(at) ?? at,
          cell: ({ endTime }) => <When at={endTime} />,
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

/** An expression in words, and as it is. */
function Expression({ of: { expression, timeZone } }: { of: Schedule }) {
  const words = useMemo(
    () => expression && cronWords(expression, timeZone),
    [expression, timeZone],
  );
  return (
    <>
      {words ? <div className="expression-words">{words}</div> : null}
      {expression ? <code className="dim">{expression}</code> : null}
    </>
  );
}

/** Its subscriptions, the newest first. */
export function Subscriptions({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const rows = useMemo(
    () => newestFirst(subscriptions, ({ startTime }) => startTime),
    [subscriptions],
  );
  return (
    <RecordTable
      label={t.subscriptions}
      rows={rows}
      columns={filled(rows, [
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
          cell: ({ startTime }) => <When at={startTime} />,
        },
        { id: 'description', label: t.description, value: ({ description }) => description },
      ])}
    />
  );
}

/** Its machines. */
export function Instances({ instances }: { instances: WidgetData<'cluster'>['instances'] }) {
  return (
    <RecordTable
      label={t.instances}
      rows={instances}
      columns={filled(instances, [
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
