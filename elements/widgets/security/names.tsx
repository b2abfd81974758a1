import type { Named, WidgetId } from 'tiding/widgets';
import { text } from '../../text/en.ts';
import { filled } from '../filled.ts';
import { ObjectLink, RecordTable, WidgetPart } from '../parts.tsx';

const t = text.widgets.security;

/** Objects of one kind by name, each with a word about it. */
export function NamesPart({
  title,
  widget,
  of,
}: {
  title: string;
  widget: WidgetId;
  of: readonly Named[];
}) {
  const rows = [...of].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
  return (
    <WidgetPart title={title} count={of.length}>
      <RecordTable
        label={title}
        rows={rows}
        columns={filled(rows, [
          {
            id: 'name',
            label: t.name,
            value: ({ name }) => name,
            cell: ({ name }) => <ObjectLink widget={widget} name={name} />,
          },
          { id: 'description', label: t.description, value: ({ description }) => description },
        ])}
      />
    </WidgetPart>
  );
}
