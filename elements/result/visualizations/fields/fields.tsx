import { ChevronDown, X } from 'lucide-react';
import { useState, type ReactNode, type RefObject } from 'react';
import type { PivotConfig, TableColumn } from 'tiding/model';
import { Icon } from '../../../ui/button.tsx';
import type { GraphColumn } from '../../graph.ts';
import { Menu, MenuChoice, MenuItem, MenuRule } from '../../menu.tsx';
import { aggregations, resultText } from '../../text.ts';
import { addTo, aggregateAs, moveTo, removeAt, type Well } from './pivot-edit.ts';
import { Wells } from './wells.tsx';

const words = resultText.fields;
const wells = ['keys', 'groups', 'values'] as const;
const additions = { keys: 'addToKeys', groups: 'addToGroups', values: 'addToValues' } as const;
const hints = { keys: 'keysHint', groups: 'groupsHint', values: 'valuesHint' } as const;
/** Names on value chips, which carry the aggregation too, are no longer than this. */
const valueName = 30;

interface FieldsProps {
  columns: readonly TableColumn[];
  pivot: PivotConfig;
  onPivot: (pivot: PivotConfig) => void;
  /** Further settings of the view. */
  children?: ReactNode;
}

/** Keys, groups and values of a pivot. */
export function Fields({ columns, pivot, onPivot, children }: FieldsProps) {
  const [said, setSaid] = useState('');
  const add = (well: Well, column: GraphColumn): void => {
    onPivot(addTo(pivot, well, column));
    setSaid(words.added(column.name, words[well]));
  };
  const remove = (well: Well, at: number): void => {
    setSaid(words.removed(pivot[well][at]?.name ?? '', words[well]));
    onPivot(removeAt(pivot, well, at));
  };
  return (
    <Wells
      columns={columns}
      wells={wells.map((id) => ({
        id,
        label: words[id],
        hint: words[hints[id]],
        add: words[additions[id]],
        columns: pivot[id],
      }))}
      onAdd={add}
      onMove={(from, at, to) => onPivot(moveTo(pivot, from, at, to))}
      said={said}
      chip={(well, column, at, drag, box) =>
        well === 'values' ? (
          <ValueChip
            within={box}
            column={column}
            drag={drag}
            onAggregation={(aggr) => onPivot(aggregateAs(pivot, at, aggr))}
            onRemove={() => remove(well, at)}
          />
        ) : (
          <ColumnChip column={column} drag={drag} onRemove={() => remove(well, at)} />
        )
      }
    >
      {children}
    </Wells>
  );
}

/** A column in a well, with its way out. */
export function ColumnChip({
  column: { name },
  drag,
  onRemove,
}: {
  column: GraphColumn;
  drag: object;
  onRemove: () => void;
}) {
  return (
    <span className="chip accent" {...drag}>
      <span className="chip-name">{name}</span>
      <button
        type="button"
        className="chip-remove"
        aria-label={words.remove(name)}
        onClick={onRemove}
      >
        <Icon of={X} size="xs" />
      </button>
    </span>
  );
}

interface ValueChipProps {
  within: RefObject<HTMLElement | null>;
  column: GraphColumn;
  drag: object;
  onAggregation: (aggr: string) => void;
  onRemove: () => void;
}

/** A value: its menu holds the aggregations and the way out. */
function ValueChip({ within, column, drag, onAggregation, onRemove }: ValueChipProps) {
  const { name } = column;
  const aggr = column.aggr ?? 'sum';
  const shown = words.value(aggr, name.length > valueName ? `${name.slice(0, valueName)}…` : name);
  return (
    <Menu
      within={within}
      align="start"
      onRelease
      trigger={
        <button type="button" className="chip accent" title={words.value(aggr, name)} {...drag}>
          <span className="chip-name">{shown}</span>
          <Icon of={ChevronDown} size="xs" />
        </button>
      }
    >
      <MenuChoice
        label={words.aggregation}
        value={aggr}
        options={aggregations.map((value) => ({ value, label: value }))}
        onValue={onAggregation}
      />
      <MenuRule />
      <MenuItem onClick={onRemove}>{words.removeItem}</MenuItem>
    </Menu>
  );
}
