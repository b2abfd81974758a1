import type { NamedObject, WidgetId } from '@tiding/client/widgets';
import { securityTexts } from '../../text/widgets/security.ts';
import { RecordTable, WidgetPart } from '../parts.tsx';

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
        columns={[
          { label: t.name, link: widget, value: ({ name }) => name },
          { label: t.description, value: ({ description }) => description },
        ]}
      />
    </WidgetPart>
  );
}
