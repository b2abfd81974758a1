/**
 * Field list of a package's view: the columns of a table, and named drop areas to assign them to by
 * dragging or with the menu on each column.
 */

import { aggregations, type TableColumn } from '@tiding/client/model';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Icon } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuRule } from '../parts/menu.tsx';
import { resultText } from '../texts.ts';
import type { StoredColumn } from '../view-settings.ts';
import { FieldWells } from '../visualizations/fields/field-wells.tsx';
import { ColumnChip } from '../visualizations/fields/pivot-fields.tsx';

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
  columns: readonly TableColumn[];
  places: readonly PackageWell[];
  onColumns: (place: string, columns: readonly StoredColumn[]) => void;
}

/** Renders the available columns and the drop areas. */
export function PackageWells({ columns, places, onColumns }: WellsProps) {
  const [said, setSaid] = useState('');
  const placeOf = (name: string): PackageWell => places.find((place) => place.name === name)!;
  const add = (well: string, { name, index, aggr }: StoredColumn): void => {
    const place = placeOf(well);
    const kept = place.single
      ? []
      : place.aggregated
        ? place.columns
        : place.columns.filter((each) => each.index !== index);
    const next = [...kept, { name, index, aggr } as StoredColumn];
    onColumns(well, place.most > 0 ? next.slice(-place.most) : next);
    setSaid(fields.added(name, well));
  };
  return (
    <FieldWells
      label={uiText.columns}
      className="fields package-fields"
      columns={columns}
      wells={places.map(({ name, hint, single, columns: chosen }) => ({
        id: name,
        label: name,
        title: hint || undefined,
        hint: hint || (single ? uiText.wellHint : uiText.wellHintMany),
        add: uiText.addToWell(name),
        columns: chosen,
      }))}
      onAdd={add}
      announcement={said}
      chip={(well, column, at, _drag, box) => {
        const place = placeOf(well);
        const remove = (): void => {
          setSaid(fields.removed(column.name, well));
          onColumns(
            well,
            place.columns.filter((_, position) => position !== at),
          );
        };
        return (
          <ColumnChip column={column} onRemove={remove}>
            {place.aggregated ? (
              <Aggregation
                within={box}
                column={column}
                onAggregation={(aggr) =>
                  onColumns(
                    well,
                    place.columns.map((each, position) =>
                      position === at ? ({ ...each, aggr } as StoredColumn) : each,
                    ),
                  )
                }
              />
            ) : undefined}
          </ColumnChip>
        );
      }}
    />
  );
}

interface AggregationProps {
  within: React.RefObject<HTMLElement | null>;
  column: StoredColumn;
  onAggregation: (aggr: string) => void;
}

function Aggregation({ within, column, onAggregation }: AggregationProps) {
  const { name, aggr = 'sum' } = column;
  return (
    <Menu
      within={within}
      align="start"
      trigger={
        <button
          type="button"
          className="chip-choice bare"
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
