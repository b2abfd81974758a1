import { selectedFields, type Validator } from '@tiding/client/widgets';
import { validationTexts } from '../../text/widgets/validation.ts';
import { RecordTable } from '../parts.tsx';
import { listed } from '../sentences.ts';
import { nullResultText, ruleText } from './rule-text.ts';

const t = validationTexts;

/**
 * Descriptions of validators in the given order. `label` renames the table if its widget already
 * has that name.
 */
export function ValidatorTable({
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
