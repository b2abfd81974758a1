/**
 * Field list of a package's view: the columns of a table, and named drop areas to assign them to by
 * dragging or with the menu on each column.
 */

import { aggregations, type TableColumn } from '@tiding/client/model';
import { ChevronDown, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuRule } from '../parts/menu.tsx';
import { resultText } from '../texts.ts';
import type { StoredColumn } from '../view-settings.ts';
import { AvailableColumns } from '../visualizations/fields/available-columns.tsx';

const uiText = resultText.packages;
const fields = resultText.fields;

/** A drop area for columns. */
interface PackageWell {
  readonly name: string;
  readonly hint: string;
  /** Whether it takes only one column; adding another replaces it. */
  readonly single: boolean;
  readonly aggregated: boolean;
  /** Maximum number of columns; adding more removes the oldest. 0 means unlimited. */
  readonly most: number;
  readonly columns: readonly StoredColumn[];
}

interface WellsProps {
  label: string;
  columns: readonly TableColumn[];
  places: readonly PackageWell[];
  onColumns: (place: string, columns: readonly StoredColumn[]) => void;
  children?: ReactNode;
}

/** Renders the available columns and the drop areas. */
export function PackageWells({ label, columns, places, onColumns, children }: WellsProps) {
  const box = useRef<HTMLDivElement>(null);
  const dragged = useRef<TableColumn | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const add = (place: PackageWell, { name, index, aggr }: TableColumn): void => {
    const column: StoredColumn = { name, index, aggr };
    const kept = place.single
      ? []
      : place.aggregated
        ? place.columns
        : place.columns.filter((each) => each.index !== index);
    const next = [...kept, column];
    onColumns(place.name, place.most > 0 ? next.slice(-place.most) : next);
    setSaid(fields.added(name, place.name));
  };
  const remove = (place: PackageWell, at: number): void => {
    setSaid(fields.removed(place.columns[at]?.name ?? '', place.name));
    onColumns(
      place.name,
      place.columns.filter((_, position) => position !== at),
    );
  };
  const dragProps = (column: TableColumn) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      dragged.current = column;
      event.dataTransfer.effectAllowed = 'copy';
      // Some browsers don't start a drag without data.
      event.dataTransfer.setData('text/plain', column.name);
    },
    onDragEnd: () => {
      dragged.current = null;
      setOver(null);
    },
  });
  const dropProps = (place: PackageWell) => ({
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
      <AvailableColumns
        box={box}
        columns={columns}
        dragProps={dragProps}
        menu={(column) =>
          places.map((place) => (
            <MenuItem key={place.name} onClick={() => add(place, column)}>
              {uiText.addToWell(place.name)}
            </MenuItem>
          ))
        }
      >
        {children}
      </AvailableColumns>
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
              {place.hint || (place.single ? uiText.wellHint : uiText.wellHintMany)}
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
                        position === at ? ({ ...each, aggr } as StoredColumn) : each,
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
  column: StoredColumn;
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
