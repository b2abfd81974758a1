/** Widgets of validation suites, validators and their fields. */

import { selectedFields, type Validator, type WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import { nullResultText, ruleText } from './rule-text.ts';
import { validationTexts as t } from './texts.ts';

/** Maximum number of rules in a summary. */
const MAX_RULES_IN_SUMMARY = 3;
const rules = (validators: readonly Validator[]): string[] =>
  validators
    .slice(0, MAX_RULES_IN_SUMMARY)
    .map((validator) => fill(t.ruleSummary, { rule: ruleText(validator) }));

export const validationSuite: WidgetModule<WidgetData<'validation-suite'>> = {
  describe: ({ validationSuite: of, validators }) =>
    sentences(
      fill(t.suiteSummary, {
        what: titled('validation-suite', of?.name),
        validators: counted(validators.length, t.counts.validators),
      }),
      ...rules(validators),
    ),
  View: ({ data: { validationSuite: of, validators, lineage } }) => (
    <>
      <WidgetHead widget="validation-suite" of={of} />
      <WidgetPart title={t.validators} count={validators.length}>
        <ValidatorTable validators={validators} />
      </WidgetPart>
      <LineagePanel lineage={lineage} />
    </>
  ),
};

export const validators: WidgetModule<WidgetData<'validators'>> = {
  describe: ({ validators: of }) =>
    sentences(
      fill(t.listSummary, {
        what: titled('validators', undefined),
        things: counted(of.length, t.counts.validators),
      }),
      ...rules(of),
    ),
  View: ({ data: { validators: of } }) => (
    <>
      <WidgetHead widget="validators" about={counted(of.length, t.counts.validators)} />
      <ValidatorTable validators={of} label={counted(of.length, t.counts.validators)} />
    </>
  ),
};

/**
 * Descriptions of validators in the given order. `label` renames the table if its widget already
 * has that name.
 */
function ValidatorTable({
  validators,
  label = t.validators,
}: {
  validators: readonly Validator[];
  label?: string;
}) {
  return (
    <RecordTable
      label={label}
      rows={validators}
      columns={[
        { label: t.name, value: ({ name }) => name },
        { label: t.rule, value: ruleText },
        { label: t.type, value: ({ validatorType }) => validatorType },
        { label: t.fields, value: ({ fields }) => fieldsOf(fields) },
        { label: t.nulls, value: nullResultText },
        { label: t.description, value: ({ description }) => description },
      ]}
    />
  );
}

function fieldsOf(selector: Validator['fields']): string | undefined {
  const fields = selectedFields(selector);
  return fields && (fields.kind === 'regex' ? fields.pattern : listed(fields.names));
}

export const fieldSelectorWidget: WidgetModule<WidgetData<'field-selector'>> = {
  describe: (data) => {
    const fields = selectedFields(data);
    const what = titled('field-selector', undefined);
    return fields
      ? fill(t.listSummary, {
          what,
          things: fields.kind === 'regex' ? fields.pattern : listed(fields.names),
        })
      : `${what}. ${t.noFields}`;
  },
  View: ({ data }) => {
    const fields = selectedFields(data);
    return (
      <>
        <WidgetHead widget="field-selector" />
        <Facts
          of={[
            [t.type, data.fieldSelectorType || (fields && t.kinds[fields.kind])],
            fields?.kind === 'regex'
              ? [t.pattern, <code key="pattern">{fields.pattern}</code>]
              : [fields?.kind === 'single' ? t.field : t.fields, fields && listed(fields.names)],
          ]}
        />
        {fields ? null : <p className="dim">{t.noFields}</p>}
      </>
    );
  },
};
