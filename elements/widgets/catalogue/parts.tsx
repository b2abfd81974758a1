/** Building blocks of the catalogue widgets. */

import { type ColumnPayload, fieldTypeText } from '@tiding/client/widgets';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { RecordTable, WidgetPart } from '../parts.tsx';
import catalogueSheet from './catalogue.css';
import { catalogueTexts as t } from './texts.ts';

/** Style sheets of the catalogue widgets. */
export const catalogueSheets: readonly string[] = [catalogueSheet];

/** Yes or No; `undefined` if unknown. */
export const yesNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? t.yes : t.no;
/** The number of fields as text. */
export const fieldCount = (fields: readonly ColumnPayload[]): string =>
  fields.length === 1 ? t.oneField : fill(t.someFields, { n: formatInteger(fields.length) });
/** A value in a fixed-width font; nothing if it is missing. */
export const codeOf = (value: string | undefined) => value && <code>{value}</code>;

/** Fields by index with their types; columns that are empty in every row are omitted. */
export function CatalogueFields({ of }: { of: readonly ColumnPayload[] }) {
  const sorted = [...of].sort(
    (a, b) => (a.fieldIndex ?? Number.MAX_VALUE) - (b.fieldIndex ?? Number.MAX_VALUE),
  );
  return (
    <WidgetPart title={t.fields} count={of.length}>
      <div className="fields-table">
        <RecordTable
          label={t.fields}
          rows={sorted}
          columns={[
            { label: t.name, value: ({ name }) => name },
            {
              label: t.type,
              value: ({ fieldType }) => fieldTypeText(fieldType),
              cell: ({ fieldType }) => (
                <code className="field-type" dir="ltr">
                  {fieldTypeText(fieldType)}
                </code>
              ),
            },
            {
              label: t.length,
              numeric: true,
              value: ({ length }) => length,
              cell: ({ length }) => (length === undefined ? null : formatInteger(length)),
            },
            { label: t.description, value: ({ description }) => description },
          ]}
          empty={t.noFields}
        />
      </div>
    </WidgetPart>
  );
}
