import { GripVertical } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode, type RefObject } from 'react';
import type { TableColumn } from 'tiding/model';
import { Icon } from '../../../ui/button.tsx';
import type { GraphColumn } from '../../graph.ts';
import { Menu, MenuItem } from '../../menu.tsx';
import { resultText } from '../../text.ts';

const words = resultText.fields;

/** A place that columns are put into. */
export interface WellSpec<Well extends string> {
  readonly id: Well;
  readonly label: string;
  readonly hint: string;
  /** The entry in the menu of a column. */
  readonly add: string;
  readonly columns: readonly GraphColumn[];
  /** Explains itself behind the name. */
  readonly info?: ReactNode;
  /** Has no say now. */
  readonly unused?: boolean;
}

interface WellsProps<Well extends string> {
  columns: readonly TableColumn[];
  wells: readonly WellSpec<Well>[];
  onAdd: (well: Well, column: GraphColumn) => void;
  onMove: (from: Well, at: number, to: Well) => void;
  /** A column in a well; `drag` are the properties that let it be dragged. */
  chip: (
    well: Well,
    column: GraphColumn,
    at: number,
    drag: object,
    box: RefObject<HTMLElement | null>,
  ) => ReactNode;
  /** What was done, read aloud. */
  said: string;
  /** Further settings of the view, below the columns. */
  children?: ReactNode;
}

/** What is being dragged: a column, or a chip of a well. */
type Dragged<Well> =
  | { readonly column: GraphColumn }
  | { readonly well: Well; readonly at: number };

/** The columns of a table and the wells a chart is made from; by dragging, or by the menu on each column. */
export function Wells<Well extends string>({
  columns,
  wells,
  onAdd,
  onMove,
  chip,
  said,
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
      // Some browsers start no drag without data.
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
      else if (what) onMove(what.well, what.at, well);
      setOver(null);
    },
  });
  return (
    <div
      ref={box}
      className={wells.length > 3 ? 'fields four' : 'fields'}
      role="group"
      aria-label={words.label}
    >
      <div className="fields-available">
        <span className="label">{words.available}</span>
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
                aria-label={words.addTo(column.name)}
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
      {wells.map(({ id, label, hint, columns: chosen, info, unused }) => (
        <div
          key={id}
          className={['well', over === id && 'over', unused && 'unused'].filter(Boolean).join(' ')}
          role="group"
          aria-label={label}
          {...dropProps(id)}
        >
          <span className="label">
            {label}
            {info}
          </span>
          {chosen.length === 0 && <span className="well-hint">{hint}</span>}
          {chosen.map((column, at) => (
            <span key={at} className="well-chip">
              {chip(id, column, at, dragProps({ well: id, at }), box)}
            </span>
          ))}
        </div>
      ))}
      {children}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}
