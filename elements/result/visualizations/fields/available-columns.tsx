import type { TableColumn } from '@tiding/client/model';
import { GripVertical } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, RefObject } from 'react';
import { Icon } from '../../../ui/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { resultText } from '../../texts.ts';

const uiText = resultText.fields;

interface AvailableColumnsProps {
  /** The element that menus stay within. */
  box: RefObject<HTMLElement | null>;
  columns: readonly TableColumn[];
  /** Properties that make the chip of a column draggable. */
  dragProps: (column: TableColumn) => ButtonHTMLAttributes<HTMLButtonElement>;
  /** Renders the menu of a column: the drop areas it can be added to. */
  menu: (column: TableColumn) => ReactNode;
}

/** The columns of a table as chips, which are dragged to a drop area or added from their menu. */
export function AvailableColumns({ box, columns, dragProps, menu }: AvailableColumnsProps) {
  return (
    <div className="fields-available">
      <span className="label">{uiText.available}</span>
      {columns.map((column) => (
        <Menu
          key={column.index}
          within={box}
          align="start"
          onRelease
          trigger={
            <button
              type="button"
              className="chip"
              aria-label={uiText.addTo(column.name)}
              {...dragProps(column)}
            >
              <Icon of={GripVertical} size="xs" />
              <span className="chip-name">{column.name}</span>
            </button>
          }
        >
          {menu(column)}
        </Menu>
      ))}
    </div>
  );
}
