/** Sortable column headers. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { Icon } from './button.tsx';

interface SortOrder<Column extends string> {
  readonly by: Column;
  readonly down: boolean;
}

/** Sort state of a table. Selecting the same column again reverses the order. */
export function useSortOrder<Column extends string>(
  by: Column,
): [order: SortOrder<Column>, choose: (column: Column) => void] {
  const [order, setOrder] = useState<SortOrder<Column>>({ by, down: false });
  return [
    order,
    (column) => setOrder((before) => ({ by: column, down: before.by === column && !before.down })),
  ];
}

/**
 * Header cell of a sortable column: a button with the name and an arrow. Screen readers get the
 * order from the cell. `numeric` aligns it with digits.
 */
export function SortHeader<Column extends string>({
  column,
  label,
  order,
  onOrder,
  numeric,
  className,
}: {
  column: Column;
  label: string;
  order: SortOrder<Column>;
  onOrder: (column: Column) => void;
  numeric?: boolean | undefined;
  className?: string;
}) {
  const mine = order.by === column;
  return (
    <th
      scope="col"
      className={numeric ? 'numeric' : className}
      aria-sort={mine ? (order.down ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="sort" onClick={() => onOrder(column)}>
        {label}
        {mine ? <Icon of={order.down ? ArrowDown : ArrowUp} size="xs" /> : null}
      </button>
    </th>
  );
}
