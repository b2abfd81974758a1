import { aggregations, type PivotConfig, runningOf, type TableColumn } from '@tiding/client/model';
import { ChevronDown, X } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { Icon } from '../../../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuRule } from '../../parts/menu.tsx';
import { resultText } from '../../texts.ts';
import type { StoredColumn } from '../../view-settings.ts';
import { chartTexts } from '../chart/texts.ts';
import { FieldWells } from './field-wells.tsx';
import {
  addToWell,
  changeValue,
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
  /** Whether values can run along the axis. */
  runs?: boolean;
}

/** Field list of a pivot chart: keys, groups and values. */
export function PivotFields({ columns, pivot, onPivot, runs = false }: FieldsProps) {
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
            runs={runs}
            onChange={(patch) => onPivot(changeValue(pivot, at, patch))}
            onRemove={() => remove(well, at)}
          />
        ) : (
          <ColumnChip column={column} drag={drag} onRemove={() => remove(well, at)} />
        )
      }
    />
  );
}

/** A column in a drop area, with a button to remove it. */
export function ColumnChip({
  column: { name },
  drag,
  onRemove,
  children = <span className="chip-name">{name}</span>,
}: {
  column: StoredColumn;
  /** Makes the chip draggable. */
  drag?: object;
  onRemove: () => void;
  /** What is shown of the column. Default: its name. */
  children?: ReactNode;
}) {
  return (
    <span className="chip accent" {...drag}>
      {children}
      <button
        type="button"
        className="chip-remove bare"
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
  runs: boolean;
  onChange: (patch: Pick<Partial<StoredColumn>, 'aggr' | 'running' | 'window'>) => void;
  onRemove: () => void;
}

/** A value column; its menu offers the aggregations and removes it. */
function ValueChip({ within, column, drag, runs, onChange, onRemove }: ValueChipProps) {
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
        onValue={(aggr) => onChange({ aggr })}
      />
      {runs ? <RunningChoice column={column} onChange={onChange} /> : null}
      <MenuRule />
      <MenuItem onClick={onRemove}>{uiText.removeItem}</MenuItem>
    </Menu>
  );
}

/** Numbers of points of a moving average. */
const windows = [3, 7, 12, 30];

/** Chooses how a value runs along the axis. */
function RunningChoice({ column, onChange }: Pick<ValueChipProps, 'column' | 'onChange'>) {
  const running = runningOf(column);
  return (
    <>
      <MenuRule />
      <MenuChoice
        label={chartTexts.running.label}
        value={!running ? '' : running.how === 'mean' ? String(running.points) : 'total'}
        options={[
          { value: '', label: chartTexts.running.none },
          { value: 'total', label: chartTexts.running.totalChoice },
          ...windows.map((points) => ({
            value: String(points),
            label: chartTexts.running.meanChoice(points),
          })),
        ]}
        onValue={(value) =>
          onChange(
            value === '' || value === 'total'
              ? { running: value || undefined, window: undefined }
              : { running: 'mean', window: Number(value) },
          )
        }
      />
    </>
  );
}
