/** Columns of a table, and named places to put them: by dragging, or by the menu on each column. */
import { ChevronDown, GripVertical, X } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import type { TableColumn } from 'tiding/model';
import { Icon } from '../../ui/button.tsx';
import type { GraphColumn } from '../graph.ts';
import { Menu, MenuChoice, MenuItem, MenuRule } from '../menu.tsx';
import { aggregations, resultText } from '../text.ts';

const words = resultText.packages;
const fields = resultText.fields;

/** A place for columns. */
export interface Place {
  readonly name: string;
  readonly hint: string;
  /** Takes one column, which is replaced. */
  readonly single: boolean;
  /** Its columns are aggregated. */
  readonly aggregated: boolean;
  /** Most columns; the oldest goes. 0: any number. */
  readonly most: number;
  readonly columns: readonly GraphColumn[];
}

interface WellsProps {
  label: string;
  columns: readonly TableColumn[];
  places: readonly Place[];
  onColumns: (place: string, columns: readonly GraphColumn[]) => void;
  children?: ReactNode;
}

/** See the head of this file. */
export function Wells({ label, columns, places, onColumns, children }: WellsProps) {
  const box = useRef<HTMLDivElement>(null);
  const dragged = useRef<TableColumn | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const add = (place: Place, { name, index, aggr }: TableColumn): void => {
    const column: GraphColumn = { name, index, aggr };
    const kept = place.single
      ? []
      : place.aggregated
        ? place.columns
        : place.columns.filter((each) => each.index !== index);
    const next = [...kept, column];
    onColumns(place.name, place.most > 0 ? next.slice(-place.most) : next);
    setSaid(fields.added(name, place.name));
  };
  const remove = (place: Place, at: number): void => {
    setSaid(fields.removed(place.columns[at]?.name ?? '', place.name));
    onColumns(
      place.name,
      place.columns.filter((_, position) => position !== at),
    );
  };
  const dropProps = (place: Place) => ({
    onDragOver: (event: DragEvent) => {
      if (!dragged.current) return;
      event.preventDefault();
      setOver(place.name);
    },
    onDragLeave: () => setOver((now) => (now === place.name ? null : now)),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged.current) add(place, dragged.current);
      setOver(null);
    },
  });
  return (
    <div ref={box} className="fields package-fields" role="group" aria-label={label}>
      <div className="fields-available">
        <span className="label">{fields.available}</span>
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
                aria-label={fields.addTo(column.name)}
                draggable
                onDragStart={(event) => {
                  dragged.current = column;
                  event.dataTransfer.effectAllowed = 'copy';
                  // Some browsers start no drag without data.
                  event.dataTransfer.setData('text/plain', column.name);
                }}
                onDragEnd={() => {
                  dragged.current = null;
                  setOver(null);
                }}
              >
                <Icon of={GripVertical} size="xs" />
                <span className="chip-name">{column.name}</span>
              </button>
            }
          >
            {places.map((place) => (
              <MenuItem key={place.name} onClick={() => add(place, column)}>
                {words.addToWell(place.name)}
              </MenuItem>
            ))}
          </Menu>
        ))}
        {children}
      </div>
      {places.map((place) => (
        <div
          key={place.name}
          className={over === place.name ? 'well over' : 'well'}
          role="group"
          aria-label={place.name}
          {...dropProps(place)}
        >
          <span className="label" title={place.hint || undefined}>
            {place.name}
          </span>
          {place.columns.length === 0 && (
            <span className="well-hint">
              {place.hint || (place.single ? words.wellHint : words.wellHintMany)}
            </span>
          )}
          {place.columns.map((column, at) => (
            <span key={at} className="chip accent">
              {place.aggregated ? (
                <Aggregation
                  within={box}
                  column={column}
                  onAggregation={(aggr) =>
                    onColumns(
                      place.name,
                      place.columns.map((each, position) =>
                        position === at ? ({ ...each, aggr } as GraphColumn) : each,
                      ),
                    )
                  }
                />
              ) : (
                <span className="chip-name">{column.name}</span>
              )}
              <button
                type="button"
                className="chip-remove"
                aria-label={fields.remove(column.name)}
                onClick={() => remove(place, at)}
              >
                <Icon of={X} size="xs" />
              </button>
            </span>
          ))}
        </div>
      ))}
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

function Aggregation({
  within,
  column,
  onAggregation,
}: {
  within: React.RefObject<HTMLElement | null>;
  column: GraphColumn;
  onAggregation: (aggr: string) => void;
}) {
  const { name, aggr = 'sum' } = column;
  return (
    <Menu
      within={within}
      align="start"
      trigger={
        <button
          type="button"
          className="chip-choice"
          aria-label={`${fields.aggregation}: ${fields.value(aggr, name)}`}
        >
          <span className="chip-name">{fields.value(aggr, name)}</span>
          <Icon of={ChevronDown} size="xs" />
        </button>
      }
    >
      <MenuChoice
        label={fields.aggregation}
        value={aggr}
        options={aggregations.map((value) => ({ value, label: value }))}
        onValue={onAggregation}
      />
      <MenuRule />
    </Menu>
  );
}
