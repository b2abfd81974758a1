import type { NamedObject, WidgetId } from '@tiding/client/widgets';
import { securityTexts } from '../../text/widgets/security.ts';
import { filledColumns } from '../filled-columns.ts';
import { ObjectLink, RecordTable, WidgetPart } from '../parts.tsx';

const t = securityTexts;

/** Objects of one kind by name, each with a short description. */
export function NamesPart({
  title,
  widget,
  of,
}: {
  title: string;
  widget: WidgetId;
  of: readonly NamedObject[];
}) {
  const rows = [...of].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
  return (
    <WidgetPart title={title} count={of.length}>
      <RecordTable
        label={title}
        rows={rows}
        columns={filledColumns(rows, [
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
