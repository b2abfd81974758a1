/** Widgets that show which suites validate which tables. */

import { newestFirst, type WidgetData } from '@tiding/client/widgets';
import { useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { validationTexts } from '../../text/widgets/validation.ts';
import type { WidgetModule } from '../contract.ts';
import {
  Facts,
  ObjectLink,
  RecordTable,
  StateBadge,
  TimeText,
  timeText,
  WidgetHead,
  WidgetPart,
} from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import validationSheet from './validation.css';

const t = validationTexts;
const tableOf = ({
  schemaName,
  tableName,
}: {
  schemaName?: string | undefined;
  tableName?: string | undefined;
}): string => [schemaName, tableName].filter(Boolean).join('.');

export const tableValidation: WidgetModule<WidgetData<'table-validation'>> = {
  describe: ({ tableValidation: of }) => {
    const last = [of?.lastRun?.state, timeText(of?.lastRun?.startTime)].filter(
      (part): part is string => !!part,
    );
    return sentences(
      fill(t.plainSummary, { what: titled('table-validation', tableOf(of ?? {})) }),
      of?.validationSuiteName && fill(t.by, { suite: of.validationSuiteName }),
      last.length > 0 ? fill(t.lastRunWas, { run: listed(last) }) : t.notRun,
    );
  },
  View: ({ data: { tableValidation: of } }) => {
    const last = of?.lastRun;
    return (
      <>
        <WidgetHead
          title={tableOf(of ?? {}) || widgetTexts.names['table-validation']}
          badge={<StateBadge state={last?.state} />}
        />
        <Facts
          of={[
            [t.table, tableOf(of ?? {}) && <ObjectLink widget="table" name={tableOf(of!)} />],
            [
              t.suite,
              of?.validationSuiteName && (
                <ObjectLink widget="validation-suite" name={of.validationSuiteName} />
              ),
            ],
            [
              t.lastRun,
              last?.startTime === undefined ? undefined : <TimeText at={last.startTime} />,
            ],
            [t.run, last?.suiteRunId],
          ]}
        />
        {last ? null : <p className="dim">{t.notRun}</p>}
      </>
    );
  },
};

export const schemaValidation: WidgetModule<WidgetData<'schema-validation'>> = {
  describe: ({ schemaValidation: of }) =>
    fill(t.listSummary, {
      what: titled('schema-validation', of?.schemaName),
      things: counted(of?.tables.length ?? 0, t.counts.tables),
    }),
  View: ({ data: { schemaValidation: of } }) => {
    const tables = of?.tables ?? [];
    return (
      <>
        <WidgetHead title={of?.schemaName || widgetTexts.names['schema-validation']} />
        <WidgetPart title={t.tables} count={tables.length}>
          <RecordTable
            label={t.tables}
            rows={tables}
            columns={[
              {
                label: t.table,
                value: ({ tableName }) => tableName,
                cell: ({ tableName }) => (
                  <ObjectLink
                    widget="table"
                    name={tableName && tableOf({ schemaName: of?.schemaName, tableName })}
                  >
                    {tableName}
                  </ObjectLink>
                ),
              },
              {
                label: t.suites,
                value: ({ validationSuites }) => listed(validationSuites),
                cell: ({ validationSuites }) => (
                  <span className="link-list">
                    {validationSuites.map((name, at) => (
                      <ObjectLink key={at} widget="validation-suite" name={name} />
                    ))}
                  </span>
                ),
              },
            ]}
          />
        </WidgetPart>
      </>
    );
  },
  sheets: [validationSheet],
};

/** Module of the `validated-tables` widget: newest run first. */
export const validatedTables: WidgetModule<WidgetData<'validated-tables'>> = {
  describe: ({ validatedTables: of }) => {
    const failed = of.filter(({ state }) => state?.toLowerCase() === 'failed').length;
    return sentences(
      fill(t.listSummary, {
        what: titled('validated-tables', undefined),
        things: counted(of.length, t.counts.tables),
      }),
      failed > 0 && counted(failed, t.counts.failed),
    );
  },
  View: ({ data: { validatedTables: of } }) => {
    const rows = useMemo(() => newestFirst(of, ({ startTime }) => startTime), [of]);
    return (
      <>
        <WidgetHead
          title={widgetTexts.names['validated-tables']}
          about={counted(of.length, t.counts.tables)}
        />
        <RecordTable
          label={t.tables}
          rows={rows}
          columns={[
            {
              label: t.table,
              value: tableOf,
              cell: (row) => <ObjectLink widget="table" name={tableOf(row)} />,
            },
            {
              label: t.suite,
              link: 'validation-suite',
              value: ({ validationSuiteName }) => validationSuiteName,
            },
            { label: t.state, state: ({ state }) => state },
            { label: t.lastRun, time: ({ startTime }) => startTime },
          ]}
        />
      </>
    );
  },
};
