import type { TableColumn } from '@tiding/client/model';
import { GripVertical } from 'lucide-react';
import { type DragEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { Icon } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { resultText } from '../../texts.ts';
import type { StoredColumn } from '../../view-settings.ts';

const uiText = resultText.fields;

/** A drop area for columns. */
interface WellSpec<Well extends string> {
  readonly id: Well;
  readonly label: string;
  readonly hint: string;
  /** Explanation of the label, shown when the user points at it. */
  readonly title?: string | undefined;
  /** Label of the entry in a column's menu. */
  readonly add: string;
  readonly columns: readonly StoredColumn[];
  /** Explanation shown after the label. */
  readonly info?: ReactNode;
  /** Whether the columns in this area have no effect at present. */
  readonly unused?: boolean;
}

interface WellsProps<Well extends string> {
  /** Accessible name. Default: the fields of a chart. */
  label?: string;
  className?: string;
  columns: readonly TableColumn[];
  wells: readonly WellSpec<Well>[];
  onAdd: (well: Well, column: StoredColumn) => void;
  /** Called for a chip that is dragged to another drop area. */
  onMove?: (from: Well, at: number, to: Well) => void;
  /** Renders a column in a drop area; spread `drag` onto it to make it draggable. */
  chip: (
    well: Well,
    column: StoredColumn,
    at: number,
    drag: object,
    box: RefObject<HTMLElement | null>,
  ) => ReactNode;
  /** Announcement for screen readers. */
  announcement: string;
  /** More settings of the view, shown below the columns. */
  children?: ReactNode;
}

/** The item being dragged: a column of the table, or a chip in a drop area. */
type Dragged<Well> =
  | { readonly column: StoredColumn }
  | { readonly well: Well; readonly at: number };

/**
 * The columns of a table and the drop areas of a chart. Columns are assigned by dragging or with
 * the menu on each column.
 */
export function FieldWells<Well extends string>({
  label: name = uiText.label,
  className = 'fields',
  columns,
  wells,
  onAdd,
  onMove,
  chip,
  announcement,
  children,
}: WellsProps<Well>) {
  const box = useRef<HTMLDivElement>(null);
  const dragged = useRef<Dragged<Well> | null>(null);
  const [over, setOver] = useState<Well | null>(null);

  const dragProps = (what: Dragged<Well>) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      dragged.current = what;
      event.dataTransfer.effectAllowed = 'copyMove';
      // Some browsers don't start a drag without data.
      event.dataTransfer.setData('text/plain', 'column' in what ? what.column.name : '');
    },
    onDragEnd: () => {
      dragged.current = null;
      setOver(null);
    },
  });
  const dropProps = (well: Well) => ({
    onDragOver: (event: DragEvent) => {
      if (!dragged.current) return;
      event.preventDefault();
      setOver(well);
    },
    onDragLeave: () => setOver((now) => (now === well ? null : now)),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      const what = dragged.current;
      if (what && 'column' in what) onAdd(well, what.column);
      else if (what) onMove?.(what.well, what.at, well);
      setOver(null);
    },
  });
  return (
    <div ref={box} className={className} role="group" aria-label={name}>
      <div className="fields-available in-row">
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
                {...dragProps({ column })}
              >
                <Icon of={GripVertical} size="xs" />
                <span className="chip-name">{column.name}</span>
              </button>
            }
          >
            {wells.map(({ id, add }) => (
              <MenuItem key={id} onClick={() => onAdd(id, column)}>
                {add}
              </MenuItem>
            ))}
          </Menu>
        ))}
      </div>
      {wells.map(({ id, label, title, hint, columns: chosen, info, unused }) => (
        <div
          key={id}
          className={['well', over === id && 'over', unused && 'unused'].filter(Boolean).join(' ')}
          role="group"
          aria-label={label}
          {...dropProps(id)}
        >
          <span className="label" title={title}>
            {label}
            {info}
          </span>
          {chosen.length === 0 && <span className="small-text dim">{hint}</span>}
          {chosen.map((column, at) => (
            <span key={at} className="well-chip">
              {chip(id, column, at, dragProps({ well: id, at }), box)}
            </span>
          ))}
        </div>
      ))}
      {children}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </div>
  );
}
