/** Heads of columns that order a table. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { Icon } from './button.tsx';

/** By which column a table is ordered. */
export interface Order<Column extends string> {
  readonly by: Column;
  readonly down: boolean;
}

/** The order of a table: a column is chosen, and chosen again turned round. */
export function useOrder<Column extends string>(
  by: Column,
): [order: Order<Column>, choose: (column: Column) => void] {
  const [order, setOrder] = useState<Order<Column>>({ by, down: false });
  return [
    order,
    (column) => setOrder((before) => ({ by: column, down: before.by === column && !before.down })),
  ];
}

/** The head of a column. Its name and an arrow stand on a button; readers hear the order from the cell. `numeric`: stands over digits. */
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
  order: Order<Column>;
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
