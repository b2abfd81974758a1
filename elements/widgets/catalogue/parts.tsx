/** What several widgets of the catalogue show. */
import type { ReactNode } from 'react';
import { fieldTypeText, type Field } from 'tiding/widgets';
import { formatInteger } from '../../result/numbers.ts';
import { fill, text } from '../../text/en.ts';
import { RecordTable, WidgetPart, type RecordColumn } from '../parts.tsx';
import catalogueSheet from './catalogue.css';

const t = text.widgets.catalogue;

/** What the widgets of the catalogue wear. */
export const catalogueSheets: readonly string[] = [catalogueSheet];

/** Yes or no; nothing where nobody says. */
export const yesNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? t.yes : t.no;
/** How many fields, in words. */
export const fieldCount = (fields: readonly Field[]): string =>
  fields.length === 1 ? t.oneField : fill(t.someFields, { n: formatInteger(fields.length) });
/** Something as it is written in code. */
export const Written = ({ children }: { children: ReactNode }) =>
  children === undefined || children === '' ? null : <code>{children}</code>;

/** Fields by their index, with their types; columns that no field has are left out. */
export function Fields({ of }: { of: readonly Field[] }) {
  const columns: RecordColumn<Field>[] = [
    { id: 'name', label: t.name, value: ({ name }) => name },
    {
      id: 'type',
      label: t.type,
      value: ({ fieldType }) => fieldTypeText(fieldType),
      cell: ({ fieldType }) => (
        <code className="field-type" dir="ltr">
          {fieldTypeText(fieldType)}
        </code>
      ),
    },
  ];
  if (of.some(({ length }) => length !== undefined))
    columns.push({
      id: 'length',
      label: t.length,
      numeric: true,
      value: ({ length }) => length,
      cell: ({ length }) => (length === undefined ? null : formatInteger(length)),
    });
  if (of.some(({ description }) => description))
    columns.push({
      id: 'description',
      label: t.description,
      value: ({ description }) => description,
    });
  const sorted = [...of].sort(
    (a, b) => (a.fieldIndex ?? Number.MAX_VALUE) - (b.fieldIndex ?? Number.MAX_VALUE),
  );
  return (
    <WidgetPart title={t.fields} count={of.length}>
      <div className="fields-table">
        <RecordTable label={t.fields} rows={sorted} columns={columns} empty={t.noFields} />
      </div>
    </WidgetPart>
  );
}
