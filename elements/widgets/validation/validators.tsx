import { selectedFields, type Validator, type WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { validationTexts } from '../../text/widgets/validation.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, listed, sentences, titled } from '../sentences.ts';
import { nullResultText, ruleText } from './rule-text.ts';

const t = validationTexts;
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
      <WidgetHead
        title={of?.name || widgetTexts.names['validation-suite']}
        about={of?.description}
      />
      <WidgetPart title={t.validators} count={validators.length}>
        <ValidatorTable validators={validators} />
      </WidgetPart>
      {lineage ? <LineagePanel lineage={lineage} /> : null}
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
      <WidgetHead
        title={widgetTexts.names['validators']}
        about={counted(of.length, t.counts.validators)}
      />
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
