/** Widgets of schedules and subscriptions. */

import {
  logBadge,
  newestFirst,
  type Schedule,
  type Subscription,
  timeOf,
  type WidgetData,
} from '@tiding/client/widgets';
import { type ComponentProps, useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { jobsTexts } from '../../text/widgets/jobs.ts';
import { logsTexts } from '../../text/widgets/logs.ts';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { Cron, cronText, nextRun } from '../cron.tsx';
import {
  ColourBadge,
  Facts,
  ObjectLink,
  RecordTable,
  StateBadge,
  TimeText,
  timeText,
  WidgetHead,
  WidgetPart,
} from '../parts.tsx';
import { counted } from '../sentences.ts';
import jobsSheet from './jobs.css';
import { JobRuns } from './runs.tsx';

const t = jobsTexts;
const jobName = ({ projectName, jobName: job }: Schedule): string | undefined =>
  job ? [projectName, job].filter(Boolean).join('.') : undefined;
const when = (at: string | number | undefined) =>
  at === undefined ? undefined : <TimeText at={at} />;

export const jobSchedule: WidgetModule<WidgetData<'job-schedule'>> = {
  sheets: [jobsSheet],
  describe: ({ schedule, user, history }) =>
    [
      fill(t.scheduleSummary, {
        name: schedule?.name ?? '',
        words:
          cronText(schedule?.expression, schedule?.timeZone) ??
          schedule?.expression ??
          t.noExpression,
      }),
      schedule?.state && fill(t.isState, { state: schedule.state }),
      schedule?.nextRunTime !== undefined &&
        fill(t.nextAt, { time: timeText(schedule.nextRunTime) }),
      (user?.userName ?? schedule?.userName) &&
        fill(t.runsAsUser, { user: (user?.userName ?? schedule?.userName)! }),
      fill(history.length === 1 ? t.oneRun : t.nRuns, { n: history.length }),
    ]
      .filter(Boolean)
      .join(' '),
  View: ({ data: { schedule, user, history, subscriptions } }) => {
    const who = user?.userName ?? schedule?.userName;
    return (
      <>
        <WidgetHead
          title={schedule?.name ?? widgetTexts.names['job-schedule']}
          about={schedule?.description}
          badge={<StateBadge state={schedule?.state} />}
        />
        {schedule || who ? (
          <Facts
            of={[
              [t.expression, schedule?.expression && <Cron schedule={schedule} />],
              [t.timeZone, schedule?.timeZone],
              [t.nextRun, schedule && when(nextRun(schedule))],
              [t.action, schedule?.clusterAction],
              [t.job, schedule?.jobName && <ObjectLink widget="job" name={jobName(schedule)} />],
              [
                t.cluster,
                schedule?.clusterName && (
                  <ObjectLink widget="cluster" name={schedule.clusterName} />
                ),
              ],
              [
                t.runsAs,
                who && (
                  <>
                    <ObjectLink widget="user" name={who} />
                    {user?.serviceAccount ? (
                      <>
                        {' '}
                        <ColourBadge colour="default">{t.serviceAccount}</ColourBadge>
                      </>
                    ) : null}
                  </>
                ),
              ],
              [t.from, when(schedule?.startTime)],
              [t.until, when(schedule?.endTime)],
            ]}
          />
        ) : null}
        <WidgetPart title={t.history} count={history.length}>
          <JobRuns runs={history} />
        </WidgetPart>
        <WidgetPart title={t.subscriptions} count={subscriptions.length}>
          <SubscriptionTable subscriptions={subscriptions} />
        </WidgetPart>
      </>
    );
  },
};

function DescribedLink(props: ComponentProps<typeof ObjectLink> & { description?: string }) {
  const { description, ...link } = props;
  return (
    <>
      <ObjectLink {...link} />
      {description ? (
        <div className="secondary" dir="auto">
          {description}
        </div>
      ) : null}
    </>
  );
}

/** Schedules of jobs or clusters, newest start time first. */
export function ScheduleTable({ schedules }: { schedules: readonly Schedule[] }) {
  const rows = useMemo(() => newestFirst(schedules, ({ startTime }) => startTime), [schedules]);
  return (
    <RecordTable
      label={t.allSchedules}
      rows={rows}
      columns={[
        {
          label: t.name,
          value: ({ name }) => name,
          cell: ({ name, description }) => (
            <DescribedLink widget="job-schedule" name={name} description={description} />
          ),
        },
        {
          label: t.expression,
          value: ({ expression, timeZone }) => cronText(expression, timeZone) ?? expression,
          cell: (schedule) => <Cron schedule={schedule} />,
        },
        { label: t.timeZone, value: ({ timeZone }) => timeZone },
        { label: t.action, value: ({ clusterAction }) => clusterAction },
        {
          label: t.job,
          value: jobName,
          cell: (schedule) => <ObjectLink widget="job" name={jobName(schedule)} />,
        },
        { label: t.cluster, link: 'cluster', value: ({ clusterName }) => clusterName },
        { label: t.runsAs, link: 'user', value: ({ userName }) => userName },
        { label: t.state, state: ({ state }) => state },
        { label: t.from, time: ({ startTime }) => startTime },
        {
          label: t.nextRun,
          value: (schedule) => timeOf(nextRun(schedule)),
          cell: (schedule) => when(nextRun(schedule)),
        },
      ]}
      empty={t.noSchedules}
    />
  );
}

export const schedules: WidgetModule<WidgetData<'schedules'>> = {
  sheets: [jobsSheet],
  describe: ({ schedules: all }) =>
    fill(all.length === 1 ? t.oneSchedule : t.nSchedules, { n: all.length, names: named(all) }),
  View: ({ data }) => (
    <>
      <WidgetHead title={widgetTexts.names['schedules']} />
      <ScheduleTable schedules={data.schedules} />
    </>
  ),
};

/** The first names of a long list. */
function named(all: readonly { readonly name?: string | undefined }[]): string {
  const names = all.slice(0, 5).flatMap(({ name }) => name || []);
  return names.length === 0 ? '' : ` ${names.join(', ')}${all.length > 5 ? ' …' : '.'}`;
}

const Events = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? null : (
    <span className="chips">
      {of.map((each, at) => (
        <ColourBadge key={at} colour={logBadge(each)}>
          {each}
        </ColourBadge>
      ))}
    </span>
  );

/** Subscriptions, newest start time first. */
export function SubscriptionTable({
  subscriptions: all,
}: {
  subscriptions: readonly Subscription[];
}) {
  const rows = useMemo(() => newestFirst(all, ({ startTime }) => startTime), [all]);
  return (
    <RecordTable
      label={t.allSubscriptions}
      rows={rows}
      columns={[
        {
          label: t.name,
          value: ({ name }) => name,
          cell: ({ name, description }) => (
            <DescribedLink widget="subscription" name={name} description={description} />
          ),
        },
        {
          label: t.about,
          value: ({ objectType, objectName }) => [objectType, objectName].filter(Boolean).join(' '),
        },
        {
          label: t.events,
          value: ({ eventTypes }) => eventTypes.join(', '),
          cell: ({ eventTypes }) => <Events of={eventTypes} />,
        },
        { label: t.channel, value: ({ channel }) => channel },
        { label: t.recipients, value: ({ recipients }) => recipients.join(', ') },
        { label: t.state, state: ({ state }) => state },
        { label: t.from, time: ({ startTime }) => startTime },
      ]}
      empty={t.noSubscriptions}
    />
  );
}

export const subscriptions: WidgetModule<WidgetData<'subscriptions'>> = {
  sheets: [jobsSheet],
  describe: ({ subscriptions: all }) =>
    fill(all.length === 1 ? t.oneSubscription : t.nSubscriptions, {
      n: all.length,
      names: named(all),
    }),
  View: ({ data }) => (
    <>
      <WidgetHead title={widgetTexts.names['subscriptions']} />
      <SubscriptionTable subscriptions={data.subscriptions} />
    </>
  ),
};

export const subscriptionWidget: WidgetModule<WidgetData<'subscription'>> = {
  View: SubscriptionView,
  sheets: [jobsSheet],
  describe: ({ subscription: of, history }) =>
    fill(t.subscriptionSummary, {
      name: of?.name ?? '',
      events: of?.eventTypes.join(', ') || t.noEvents,
      recipients: counted(of?.recipients.length ?? 0, t.counts.recipients),
      times: counted(history.length, t.counts.times),
    }),
};

function SubscriptionView({
  data: { subscription: of, history },
}: WidgetProps<WidgetData<'subscription'>>) {
  const rows = useMemo(() => newestFirst(history, ({ startTime }) => startTime), [history]);
  return (
    <>
      <WidgetHead
        title={of?.name ?? widgetTexts.names['subscription']}
        about={of?.description}
        badge={<StateBadge state={of?.state} />}
      />
      {of ? (
        <Facts
          of={[
            [t.about, [of.objectType, of.objectName].filter(Boolean).join(' ')],
            [t.events, of.eventTypes.length > 0 && <Events of={of.eventTypes} />],
            [t.channel, of.channel],
            [t.recipients, of.recipients.join(', ')],
            [t.from, when(of.startTime)],
          ]}
        />
      ) : null}
      <WidgetPart title={t.history} count={history.length}>
        <RecordTable
          label={t.history}
          rows={rows}
          columns={[
            { label: t.started, time: ({ startTime }) => startTime },
            {
              label: t.event,
              value: ({ eventType }) => eventType,
              cell: ({ eventType }) =>
                eventType ? (
                  <ColourBadge colour={logBadge(eventType)}>{eventType}</ColourBadge>
                ) : null,
            },
            { label: t.state, state: ({ state }) => state },
            { label: t.ended, time: ({ endTime }) => endTime },
            { label: logsTexts.message, value: ({ message }) => message },
          ]}
          empty={t.nothingSent}
        />
      </WidgetPart>
    </>
  );
}
