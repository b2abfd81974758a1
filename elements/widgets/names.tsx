import type { NamedObject, WidgetId } from '@tiding/client/widgets';
import type { ReactNode } from 'react';
import { ObjectLink, type RecordColumn, RecordPart } from './parts.tsx';

/**
 * Objects of one kind by name, each with a short description. `to` returns the whole name of an
 * object, `mark` what is shown beside its name.
 */
export function NamesPart<Row extends NamedObject>({
  title,
  widget,
  of,
  texts,
  to = ({ name }) => name,
  mark,
  more = [],
}: {
  title: string;
  widget: WidgetId;
  of: readonly Row[];
  texts: { readonly name: string; readonly description: string };
  to?: (row: Row) => string | undefined;
  mark?: (row: Row) => ReactNode;
  more?: readonly RecordColumn<Row>[];
}) {
  return (
    <RecordPart
      label={title}
      rows={[...of].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))}
      columns={[
        {
          label: texts.name,
          value: ({ name }) => name,
          cell: (row) => (
            <>
              <ObjectLink widget={widget} name={row.name && to(row)}>
                {row.name}
              </ObjectLink>
              {mark?.(row)}
            </>
          ),
        },
        { label: texts.description, value: ({ description }) => description },
        ...more,
      ]}
    />
  );
}
