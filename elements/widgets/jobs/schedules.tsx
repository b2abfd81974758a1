/** Widgets of schedules and subscriptions. */

import {
  logBadge,
  type Schedule,
  type Subscription,
  type WidgetData,
} from '@tiding/client/widgets';
import type { ComponentProps } from 'react';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { Cron, cronText, nextRun } from '../cron.tsx';
import { logsTexts } from '../logs-texts.ts';
import {
  ColourBadge,
  Facts,
  moment,
  ObjectLink,
  RecordPart,
  RecordTable,
  timeText,
  WidgetHead,
  WidgetPart,
} from '../parts.tsx';
import { counted, dottedName, sentences } from '../sentences.ts';
import jobsSheet from './jobs.css';
import { JobRuns } from './runs.tsx';
import { jobsTexts as t } from './texts.ts';

const jobName = ({ projectName, jobName: job }: Schedule): string | undefined =>
  job && dottedName(projectName, job);

export const jobSchedule: WidgetModule<WidgetData<'job-schedule'>> = {
  sheets: [jobsSheet],
  describe: ({ schedule, user, history }) =>
    sentences(
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
    ),
  View: ({ data: { schedule, user, history, subscriptions } }) => {
    const who = user?.userName ?? schedule?.userName;
    return (
      <>
        <WidgetHead widget="job-schedule" of={schedule} state={schedule?.state} />
        {schedule || who ? (
          <Facts
            of={[
              [t.expression, schedule?.expression && <Cron schedule={schedule} />],
              [t.timeZone, schedule?.timeZone],
              [t.nextRun, schedule && moment(nextRun(schedule))],
              [t.action, schedule?.clusterAction],
              [t.job, schedule && jobName(schedule), 'job'],
              [t.cluster, schedule?.clusterName, 'cluster'],
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
              [t.from, moment(schedule?.startTime)],
              [t.until, moment(schedule?.endTime)],
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
  return (
    <RecordTable
      label={t.allSchedules}
      rows={schedules}
      newest={({ startTime }) => startTime}
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
        { label: t.job, link: 'job', value: jobName },
        { label: t.cluster, link: 'cluster', value: ({ clusterName }) => clusterName },
        { label: t.runsAs, link: 'user', value: ({ userName }) => userName },
        { label: t.state, state: ({ state }) => state },
        { label: t.from, time: ({ startTime }) => startTime },
        { label: t.nextRun, time: (schedule) => nextRun(schedule) },
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
      <WidgetHead widget="schedules" />
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
  return (
    <RecordTable
      label={t.allSubscriptions}
      rows={all}
      newest={({ startTime }) => startTime}
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
      <WidgetHead widget="subscriptions" />
      <SubscriptionTable subscriptions={data.subscriptions} />
    </>
  ),
};

export const subscriptionWidget: WidgetModule<WidgetData<'subscription'>> = {
  sheets: [jobsSheet],
  describe: ({ subscription: of, history }) =>
    fill(t.subscriptionSummary, {
      name: of?.name ?? '',
      events: of?.eventTypes.join(', ') || t.noEvents,
      recipients: counted(of?.recipients.length ?? 0, t.counts.recipients),
      times: counted(history.length, t.counts.times),
    }),
  View: ({ data: { subscription: of, history } }) => (
    <>
      <WidgetHead widget="subscription" of={of} state={of?.state} />
      {of ? (
        <Facts
          of={[
            [t.about, [of.objectType, of.objectName].filter(Boolean).join(' ')],
            [t.events, of.eventTypes.length > 0 && <Events of={of.eventTypes} />],
            [t.channel, of.channel],
            [t.recipients, of.recipients.join(', ')],
            [t.from, moment(of.startTime)],
          ]}
        />
      ) : null}
      <RecordPart
        label={t.history}
        rows={history}
        newest={({ startTime }) => startTime}
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
    </>
  ),
};
