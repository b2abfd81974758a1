/** Widgets that show which suites validate which tables. */

import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import {
  Facts,
  moment,
  ObjectLink,
  RecordPart,
  RecordTable,
  timeText,
  WidgetHead,
} from '../parts.tsx';
import { counted, dottedName, listed, sentences, titled } from '../sentences.ts';
import { validationTexts as t } from './texts.ts';
import validationSheet from './validation.css';

const tableOf = ({
  schemaName,
  tableName,
}: {
  schemaName?: string | undefined;
  tableName?: string | undefined;
}): string => dottedName(schemaName, tableName);

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
        <WidgetHead widget="table-validation" title={tableOf(of ?? {})} state={last?.state} />
        <Facts
          of={[
            [t.table, tableOf(of ?? {}), 'table'],
            [t.suite, of?.validationSuiteName, 'validation-suite'],
            [t.lastRun, moment(last?.startTime)],
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
  View: ({ data: { schemaValidation: of } }) => (
    <>
      <WidgetHead widget="schema-validation" title={of?.schemaName} />
      <RecordPart
        label={t.tables}
        rows={of?.tables ?? []}
        columns={[
          {
            label: t.table,
            link: 'table',
            value: ({ tableName }) => tableName,
            to: ({ tableName }) => dottedName(of?.schemaName, tableName),
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
    </>
  ),
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
  View: ({ data: { validatedTables: of } }) => (
    <>
      <WidgetHead widget="validated-tables" about={counted(of.length, t.counts.tables)} />
      <RecordTable
        label={t.tables}
        rows={of}
        newest={({ startTime }) => startTime}
        columns={[
          { label: t.table, link: 'table', value: tableOf },
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
  ),
};
