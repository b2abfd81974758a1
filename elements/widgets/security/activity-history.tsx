import { newestFirst, type WidgetData } from '@tiding/client/widgets';
import { useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { RecordTable, timeText, WidgetHead } from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import { ObjectName } from './permission-table.tsx';

const t = securityTexts;
type Activity = WidgetData<'activity-history'>['activities'][number];

/** Module of the `activity-history` widget: changes of one or several objects, newest first. */
export const activityHistory: WidgetModule<WidgetData<'activity-history'>> = {
  describe: ({ objectName, activities }) => {
    const newest = sorted(activities)[0];
    return sentences(
      fill(t.activitySummary, {
        what: titled('activity-history', objectName),
        activities: counted(activities.length, t.counts.activities),
      }),
      newest && said(newest) !== '' && fill(t.newestActivity, { activity: said(newest) }),
    );
  },
  View: ({ data: { objectType, objectName, activities } }) => {
    const rows = useMemo(() => sorted(activities), [activities]);
    return (
      <>
        <WidgetHead
          title={
            objectName ? (
              <ObjectName type={objectType} name={objectName} />
            ) : (
              widgetTexts.names['activity-history']
            )
          }
          about={
            objectName
              ? [widgetTexts.names['activity-history'], objectType].filter(Boolean).join(' · ')
              : objectType
          }
        />
        <RecordTable
          label={t.activities}
          rows={rows}
          columns={[
            { label: t.time, time: ({ activityTime }) => activityTime },
            { label: t.activity, value: ({ activityType }) => activityType },
            { label: t.objectType, value: (row) => row.objectType },
            {
              label: t.object,
              value: (row) => row.objectName,
              cell: (row) => <ObjectName type={row.objectType} name={row.objectName} />,
            },
            { label: t.user, link: 'user', value: ({ userName }) => userName },
            { label: t.state, state: ({ state }) => state },
            { label: t.description, value: ({ description }) => description },
          ]}
        />
      </>
    );
  },
};

const sorted = (activities: readonly Activity[]): readonly Activity[] =>
  newestFirst(activities, ({ activityTime }) => activityTime);
const said = ({ activityType, userName, activityTime, state }: Activity): string =>
  listed(
    [activityType, userName, timeText(activityTime), state].filter(
      (part): part is string => !!part,
    ),
  );
