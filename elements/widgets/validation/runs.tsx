/** Results of validators: a suite run, or validator runs on their own. */

import { shortDuration } from '@tiding/client/model';
import {
  durationOf,
  runShares,
  type Validator,
  type ValidatorRun,
  type WidgetData,
} from '@tiding/client/widgets';
import { useMemo } from 'react';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { Facts, isUnderway, moment, RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, dottedName, sentences, titled } from '../sentences.ts';
import { ruleText, shareText } from './rule-text.ts';
import { validationTexts as t } from './texts.ts';
import validationSheet from './validation.css';

const tableOf = ({ schemaName, tableName }: WidgetData<'suite-run'>): string =>
  dottedName(schemaName, tableName);

export const suiteRun: WidgetModule<WidgetData<'suite-run'>> = {
  describe: (data) => {
    const kind = titled('suite-run', data.validationSuiteName);
    const what = tableOf(data) ? fill(t.onTable, { what: kind, table: tableOf(data) }) : kind;
    return sentences(
      data.state
        ? fill(t.stateSummary, { what, state: data.state })
        : fill(t.plainSummary, { what }),
      ...runsWords(data.validatorRuns),
    );
  },
  View: ({ data }) => {
    const took = durationOf(data);
    return (
      <>
        <WidgetHead widget="suite-run" title={data.validationSuiteName} state={data.state} />
        <Facts
          of={[
            [t.table, tableOf(data), 'table'],
            [t.suite, data.validationSuiteName, 'validation-suite'],
            [t.run, data.suiteRunId],
            [t.started, moment(data.startTime)],
            [t.ended, moment(data.endTime) ?? (isUnderway(data) && t.goesOn)],
            [t.took, took !== undefined && shortDuration(took)],
          ]}
        />
        <WidgetPart title={t.validators} count={data.validatorRuns.length}>
          <RunTable runs={data.validatorRuns} validators={data.validators} label={t.validators} />
        </WidgetPart>
      </>
    );
  },
  sheets: [validationSheet],
};

export const validatorRuns: WidgetModule<WidgetData<'validator-runs'>> = {
  describe: ({ validatorRuns: runs }) =>
    sentences(...runsWords(runs, titled('validator-runs', undefined))),
  View: ({ data: { validatorRuns: runs } }) => (
    <>
      <WidgetHead widget="validator-runs" about={counted(runs.length, t.counts.runs)} />
      <RunTable runs={runs} validators={[]} label={t.runs} />
    </>
  ),
  sheets: [validationSheet],
};

function runsWords(runs: readonly ValidatorRun[], what = t.validators): (string | false)[] {
  const failed = runs.filter(({ state }) => state?.toLowerCase() === 'failed').length;
  let worst: ValidatorRun | undefined;
  for (const run of runs)
    if (runShares(run).failed.share > (worst ? runShares(worst).failed.share : 0)) worst = run;
  const name = worst?.validatorName || worst?.fieldName;
  return [
    fill(t.listSummary, { what, things: counted(runs.length, t.counts.runs) }),
    failed > 0 && counted(failed, t.counts.failed),
    !!worst && !!name && fill(t.worst, { name, share: shareText(runShares(worst).failed) }),
  ];
}

interface RunTableProps {
  runs: readonly ValidatorRun[];
  validators: readonly Validator[];
  label: string;
}

/**
 * Runs with their shares. Below a validator's name is its rule, or its type if nothing else is
 * known. The bar column sorts by failed rows.
 */
function RunTable({ runs, validators, label }: RunTableProps) {
  const about = useMemo(() => {
    const rules = new Map(
      validators
        .filter(says)
        .map((validator) => [validator.name?.toLowerCase(), ruleText(validator)]),
    );
    const types = new Map(
      validators.map(({ name, validatorType }) => [name?.toLowerCase(), validatorType]),
    );
    return ({ validatorName: name }: ValidatorRun) =>
      rules.get(name?.toLowerCase()) ?? types.get(name?.toLowerCase());
  }, [validators]);
  const count = (of: 'passed' | 'failed' | 'nulls') => ({
    numeric: true,
    value: (run: ValidatorRun) => runShares(run)[of].count,
    cell: (run: ValidatorRun) => formatInteger(runShares(run)[of].count),
  });
  return (
    <RecordTable
      label={label}
      rows={runs}
      columns={[
        {
          label: t.validator,
          value: ({ validatorName }) => validatorName,
          cell: (run) => (
            <>
              {run.validatorName}
              {about(run) ? <div className="validator-rule">{about(run)}</div> : null}
            </>
          ),
        },
        { label: t.field, value: ({ fieldName }) => fieldName },
        { label: t.state, state: ({ state }) => state },
        {
          label: t.rows,
          value: (run) => runShares(run).failed.share,
          cell: (run) => <ShareBar run={run} />,
        },
        { label: t.passed, ...count('passed') },
        { label: t.failed, ...count('failed') },
        { label: t.null, ...count('nulls') },
      ]}
    />
  );
}

/** Whether a validator has more than a name and a type. */
function says({ name, validatorType, description, onNullResult, ...rest }: Validator): boolean {
  void name, void validatorType, void description, void onNullResult;
  return Object.values(rest).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null,
  );
}

/** Passed, failed and null rows as one bar with labels. */
function ShareBar({ run }: { run: ValidatorRun }) {
  const shares = runShares(run);
  const parts = [
    ['passed', t.passed, shares.passed],
    ['failed', t.failed, shares.failed],
    ['null', t.null, shares.nulls],
  ] as const;
  let from = 0;
  return (
    <div className="share-bar">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([part, , { share }]) => {
          const x = from;
          from += share * 100;
          return share > 0 ? (
            <rect key={part} className={part} x={x} y="0" width={share * 100} height="1" />
          ) : null;
        })}
      </svg>
      <span className="share-words">
        {parts.map(([part, word, share]) => (
          <span key={part}>
            <i className={part} aria-hidden="true" />
            {fill(t.share, { word, share: shareText(share) })}
          </span>
        ))}
      </span>
    </div>
  );
}
