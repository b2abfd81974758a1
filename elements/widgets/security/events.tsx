/** Widgets of what users have done. */

import {
  newestFirst,
  usageObject,
  usagePermission,
  usageState,
  type WidgetData,
} from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { ObjectName, RecordTable, timeText, WidgetHead } from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import { widgetTexts } from '../texts.ts';

import { securityTexts as t } from './texts.ts';

type Activity = WidgetData<'activity-history'>['activities'][number];

/** Module of the `activity-history` widget: changes of one or several objects, newest first. */
export const activityHistory: WidgetModule<WidgetData<'activity-history'>> = {
  describe: ({ objectName, activities }) => {
    const [newest] = newestFirst(activities, ({ activityTime }) => activityTime);
    return sentences(
      fill(t.activitySummary, {
        what: titled('activity-history', objectName),
        activities: counted(activities.length, t.counts.activities),
      }),
      newest && said(newest) !== '' && fill(t.newestActivity, { activity: said(newest) }),
    );
  },
  View: ({ data: { objectType, objectName, activities } }) => (
    <>
      <WidgetHead
        widget="activity-history"
        title={objectName && <ObjectName type={objectType} name={objectName} />}
        about={
          objectName
            ? [widgetTexts.names['activity-history'], objectType].filter(Boolean).join(' · ')
            : objectType
        }
      />
      <RecordTable
        label={t.activities}
        rows={activities}
        newest={({ activityTime }) => activityTime}
        columns={[
          { label: t.time, time: ({ activityTime }) => activityTime },
          { label: t.activity, value: ({ activityType }) => activityType },
          { label: t.objectType, value: (row) => row.objectType },
          { label: t.object, object: (row) => [row.objectType, row.objectName] },
          { label: t.user, link: 'user', value: ({ userName }) => userName },
          { label: t.state, state: ({ state }) => state },
          { label: t.description, value: ({ description }) => description },
        ]}
      />
    </>
  ),
};

const said = ({ activityType, userName, activityTime, state }: Activity): string =>
  listed(
    [activityType, userName, timeText(activityTime), state].filter(
      (part): part is string => !!part,
    ),
  );

/** Module of the `usage-events` widget: newest first. */
export const usageEvents: WidgetModule<WidgetData<'usage-events'>> = {
  describe: ({ events }) => {
    const failed = events.filter((event) => usageState(event) === 'Failed').length;
    return sentences(
      fill(t.usageSummary, {
        what: widgetTexts.names['usage-events'] ?? '',
        events: counted(events.length, t.counts.events),
      }),
      failed > 0 && counted(failed, t.counts.failed),
    );
  },
  View: ({ data: { events } }) => (
    <>
      <WidgetHead widget="usage-events" about={counted(events.length, t.counts.events)} />
      <RecordTable
        label={t.events}
        rows={events}
        newest={({ eventTime }) => eventTime}
        columns={[
          { label: t.time, time: ({ eventTime }) => eventTime },
          { label: t.user, link: 'user', value: ({ userName }) => userName },
          { label: t.event, value: ({ eventType }) => eventType },
          { label: t.objectType, value: ({ objectType }) => objectType },
          { label: t.object, object: (event) => [event.objectType, usageObject(event)] },
          { label: t.permission, value: usagePermission },
          { label: t.state, state: usageState },
        ]}
      />
    </>
  ),
};
