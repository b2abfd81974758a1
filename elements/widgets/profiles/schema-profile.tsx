/** Profile of a schema: its tables with their sizes. */
import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { Loading } from '../../ui/loading.tsx';
import type { WidgetModule } from '../contract.ts';
import { RecordTable, timeText, WidgetHead } from '../parts.tsx';
import { dottedName, sentences } from '../sentences.ts';
import { count, pluralize } from './format.ts';
import profileSheet from './profile.css';
import { profilesTexts as t } from './texts.ts';
import { useReady } from './use-ready.ts';

type Data = WidgetData<'schema-profile'>;

const aboutOf = ({ tableSummaries, createdAt }: Data): string =>
  [
    pluralize(tableSummaries.length, t.table, t.tables),
    timeText(createdAt) && fill(t.profiled, { time: timeText(createdAt) }),
  ]
    .filter(Boolean)
    .join(', ');

export const schemaProfile: WidgetModule<Data> = {
  sheets: [profileSheet],
  describe: (data) => {
    const largest = data.tableSummaries.reduce<Data['tableSummaries'][number] | undefined>(
      (found, table) => ((table.rowCount ?? -1) > (found?.rowCount ?? -1) ? table : found),
      undefined,
    );
    return sentences(
      fill(t.schemaSummary, { name: data.schemaName ?? '', what: aboutOf(data) }),
      largest?.rowCount !== undefined &&
        fill(t.largest, { name: largest.tableName ?? '', n: count(largest.rowCount) }),
    );
  },
  View: ({ data }) => {
    const ready = useReady(data, data.tableSummaries.length);
    return (
      <>
        <WidgetHead widget="schema-profile" title={data.schemaName} about={aboutOf(data)} />
        {ready ? (
          <div className="schema-tables">
            <RecordTable
              label={t.tableSummaries}
              rows={data.tableSummaries}
              keepEmpty
              columns={[
                {
                  label: t.tableName,
                  link: 'data-set-profile',
                  value: ({ tableName }) => tableName,
                  to: ({ tableName }) => dottedName(data.schemaName, tableName),
                },
                {
                  label: t.rowCount,
                  numeric: true,
                  value: ({ rowCount }) => rowCount,
                  // The error takes the place of both counts.
                  span: ({ error }) => (error ? 2 : 1),
                  cell: ({ rowCount, error }) =>
                    error ? (
                      <span className="table-error">{fill(t.unreadable, { error })}</span>
                    ) : rowCount === undefined ? null : (
                      count(rowCount)
                    ),
                },
                {
                  label: t.fieldCount,
                  numeric: true,
                  value: ({ fieldCount }) => fieldCount,
                  cell: ({ fieldCount }) => (fieldCount === undefined ? null : count(fieldCount)),
                },
                { label: t.profiledAt, time: ({ createdAt }) => createdAt },
              ]}
            />
          </div>
        ) : (
          <Loading />
        )}
      </>
    );
  },
};
