import {
  newestFirst,
  usageObject,
  usagePermission,
  usageState,
  type WidgetData,
} from '@tiding/client/widgets';
import { useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { RecordTable, StateBadge, WidgetHead } from '../parts.tsx';
import { counted, sentences } from '../sentences.ts';
import { ObjectName } from './permission-table.tsx';

const t = securityTexts;

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
  View: ({ data: { events } }) => {
    const rows = useMemo(() => newestFirst(events, ({ eventTime }) => eventTime), [events]);
    return (
      <>
        <WidgetHead
          title={widgetTexts.names['usage-events']}
          about={counted(events.length, t.counts.events)}
        />
        <RecordTable
          label={t.events}
          rows={rows}
          columns={[
            { label: t.time, time: ({ eventTime }) => eventTime },
            { label: t.user, link: 'user', value: ({ userName }) => userName },
            { label: t.event, value: ({ eventType }) => eventType },
            { label: t.objectType, value: ({ objectType }) => objectType },
            {
              label: t.object,
              value: usageObject,
              cell: (event) => <ObjectName type={event.objectType} name={usageObject(event)} />,
            },
            { label: t.permission, value: usagePermission },
            {
              label: t.state,
              value: usageState,
              cell: (event) => <StateBadge state={usageState(event)} />,
            },
          ]}
        />
      </>
    );
  },
};
