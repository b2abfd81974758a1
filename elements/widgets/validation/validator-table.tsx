import { selectedFields, type Validator } from 'tiding/widgets';
import { text } from '../../text/en.ts';
import { filled } from '../filled.ts';
import { RecordTable } from '../parts.tsx';
import { listed } from '../words.ts';
import { nullWords, ruleWords } from './words.ts';

const t = text.widgets.validation;

/** Validators in words, in the order they come. `label`: another name of the table, where its widget has that. */
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
      columns={filled(validators, [
        { id: 'name', label: t.name, value: ({ name }) => name },
        { id: 'rule', label: t.rule, value: ruleWords },
        { id: 'type', label: t.type, value: ({ validatorType }) => validatorType },
        { id: 'fields', label: t.fields, value: ({ fields }) => fieldsOf(fields) },
        { id: 'nulls', label: t.nulls, value: nullWords },
        { id: 'description', label: t.description, value: ({ description }) => description },
      ])}
    />
  );
}

function fieldsOf(selector: Validator['fields']): string | undefined {
  const fields = selectedFields(selector);
  return fields && (fields.kind === 'regex' ? fields.pattern : listed(fields.names));
}
