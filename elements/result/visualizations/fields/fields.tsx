import { ChevronDown, GripVertical, X } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode, type RefObject } from 'react';
import type { PivotConfig, TableColumn } from 'tiding/model';
import { Icon } from '../../../ui/button.tsx';
import type { GraphColumn } from '../../graph.ts';
import { Menu, MenuChoice, MenuItem, MenuRule } from '../../menu.tsx';
import { aggregations, resultText } from '../../text.ts';
import { addTo, aggregateAs, moveTo, removeAt, type Well } from './pivot-edit.ts';

const words = resultText.fields;
const wells = ['keys', 'groups', 'values'] as const;
const additions = { keys: words.addToKeys, groups: words.addToGroups, values: words.addToValues } as const;
const hints = { keys: words.keysHint, groups: words.groupsHint, values: words.valuesHint } as const;
/** Names on value chips, which carry the aggregation too, are no longer than this. */
const valueName = 30;

interface FieldsProps {
  columns: readonly TableColumn[];
  pivot: PivotConfig;
  onPivot: (pivot: PivotConfig) => void;
  /** Further settings of the view, at the end of the first line. */
  children?: ReactNode;
}

/** What is being dragged: a column, or a chip of a well. */
type Dragged = { readonly column: GraphColumn } | { readonly well: Well; readonly at: number };

/** The columns of a table and the three wells a chart is made from; by dragging, or by the menu on each chip. */
export function Fields({ columns, pivot, onPivot, children }: FieldsProps) {
  const box = useRef<HTMLDivElement>(null);
  const dragged = useRef<Dragged | null>(null);
  const [over, setOver] = useState<Well | null>(null);
  const [said, setSaid] = useState('');

  const add = (well: Well, column: GraphColumn): void => {
    onPivot(addTo(pivot, well, column));
    setSaid(words.added(column.name, words[well]));
  };
  const remove = (well: Well, at: number): void => {
    setSaid(words.removed(pivot[well][at]?.name ?? '', words[well]));
    onPivot(removeAt(pivot, well, at));
  };
  const dragProps = (what: Dragged) => ({
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
      if (what && 'column' in what) add(well, what.column);
      else if (what) onPivot(moveTo(pivot, what.well, what.at, well));
      setOver(null);
    },
  });
  return (
    <div ref={box} className="fields" role="group" aria-label={words.label}>
      <div className="fields-available">
        <span className="label">{words.available}</span>
        {columns.map((column) => (
          <Menu
            key={column.index}
            within={box}
            align="start"
            onRelease
            trigger={
              <button type="button" className="chip" aria-label={words.addTo(column.name)} {...dragProps({ column })}>
                <Icon of={GripVertical} size="xs" />
                <span className="chip-name">{column.name}</span>
              </button>
            }
          >
            {wells.map((well) => (
              <MenuItem key={well} onClick={() => add(well, column)}>
                {additions[well]}
              </MenuItem>
            ))}
          </Menu>
        ))}
        {children}
      </div>
      {wells.map((well) => (
        <div key={well} className={over === well ? 'well over' : 'well'} role="group" aria-label={words[well]} {...dropProps(well)}>
          <span className="label">{words[well]}</span>
          {pivot[well].length === 0 && <span className="well-hint">{hints[well]}</span>}
          {pivot[well].map((column, at) =>
            well === 'values' ? (
              <ValueChip
                key={at}
                within={box}
                column={column}
                drag={dragProps({ well, at })}
                onAggregation={(aggr) => onPivot(aggregateAs(pivot, at, aggr))}
                onRemove={() => remove(well, at)}
              />
            ) : (
              <span key={at} className="chip accent" {...dragProps({ well, at })}>
                <span className="chip-name">{column.name}</span>
                <button type="button" className="chip-remove" aria-label={words.remove(column.name)} onClick={() => remove(well, at)}>
                  <Icon of={X} size="xs" />
                </button>
              </span>
            ),
          )}
        </div>
      ))}
      <p className="visually-hidden" role="status">{said}</p>
    </div>
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
      <MenuChoice label={words.aggregation} value={aggr} options={aggregations.map((value) => ({ value, label: value }))} onValue={onAggregation} />
      <MenuRule />
      <MenuItem onClick={onRemove}>{words.removeItem}</MenuItem>
    </Menu>
  );
}
