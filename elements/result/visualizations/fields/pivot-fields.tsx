import { aggregations, type PivotConfig, type TableColumn } from '@tiding/client/model';
import { ChevronDown, X } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { resultText } from '../../../text/results/result.ts';
import { Icon } from '../../../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuRule } from '../../parts/menu.tsx';
import type { StoredColumn } from '../../view-settings.ts';
import { FieldWells } from './field-wells.tsx';
import {
  addToWell,
  aggregateAs,
  moveToWell,
  type PivotWell,
  removeFromWell,
} from './pivot-edit.ts';

const uiText = resultText.fields;
const wells = ['keys', 'groups', 'values'] as const;
const additions = { keys: 'addToKeys', groups: 'addToGroups', values: 'addToValues' } as const;
const hints = { keys: 'keysHint', groups: 'groupsHint', values: 'valuesHint' } as const;
/** Maximum length of a name on a value chip, which also shows the aggregation. */
const valueName = 30;

interface FieldsProps {
  columns: readonly TableColumn[];
  pivot: PivotConfig;
  onPivot: (pivot: PivotConfig) => void;
  /** More settings of the view. */
  children?: ReactNode;
}

/** Field list of a pivot chart: keys, groups and values. */
export function PivotFields({ columns, pivot, onPivot, children }: FieldsProps) {
  const [said, setSaid] = useState('');
  const add = (well: PivotWell, column: StoredColumn): void => {
    onPivot(addToWell(pivot, well, column));
    setSaid(uiText.added(column.name, uiText[well]));
  };
  const remove = (well: PivotWell, at: number): void => {
    setSaid(uiText.removed(pivot[well][at]?.name ?? '', uiText[well]));
    onPivot(removeFromWell(pivot, well, at));
  };
  return (
    <FieldWells
      columns={columns}
      wells={wells.map((id) => ({
        id,
        label: uiText[id],
        hint: uiText[hints[id]],
        add: uiText[additions[id]],
        columns: pivot[id],
      }))}
      onAdd={add}
      onMove={(from, at, to) => onPivot(moveToWell(pivot, from, at, to))}
      announcement={said}
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
    </FieldWells>
  );
}

/** A column in a drop area, with a button to remove it. */
export function ColumnChip({
  column: { name },
  drag,
  onRemove,
}: {
  column: StoredColumn;
  drag: object;
  onRemove: () => void;
}) {
  return (
    <span className="chip accent" {...drag}>
      <span className="chip-name">{name}</span>
      <button
        type="button"
        className="chip-remove"
        aria-label={uiText.remove(name)}
        onClick={onRemove}
      >
        <Icon of={X} size="xs" />
      </button>
    </span>
  );
}

interface ValueChipProps {
  within: RefObject<HTMLElement | null>;
  column: StoredColumn;
  drag: object;
  onAggregation: (aggr: string) => void;
  onRemove: () => void;
}

/** A value column; its menu offers the aggregations and removes it. */
function ValueChip({ within, column, drag, onAggregation, onRemove }: ValueChipProps) {
  const { name } = column;
  const aggr = column.aggr ?? 'sum';
  const shortName = name.length > valueName ? `${name.slice(0, valueName)}…` : name;
  const shown = uiText.value(aggr, shortName);
  return (
    <Menu
      within={within}
      align="start"
      onRelease
      trigger={
        <button type="button" className="chip accent" title={uiText.value(aggr, name)} {...drag}>
          <span className="chip-name">{shown}</span>
          <Icon of={ChevronDown} size="xs" />
        </button>
      }
    >
      <MenuChoice
        label={uiText.aggregation}
        value={aggr}
        options={aggregations.map((value) => ({ value, label: value }))}
        onValue={onAggregation}
      />
      <MenuRule />
      <MenuItem onClick={onRemove}>{uiText.removeItem}</MenuItem>
    </Menu>
  );
}
