import { Menu as Base } from '@base-ui/react/menu';
import { ArrowDown, ArrowUp, Check, ChevronRight } from 'lucide-react';
import { Icon } from '../../../../ui/button.tsx';
import { containerOf, MenuChoice, MenuItem, MenuRule } from '../../../parts/base-menu.tsx';
import {
  type ColumnAggregate,
  type ColumnSort,
  columnAggregates,
  defaultAggregate,
} from '../../../rows/arrangement.ts';
import type { ReadAs } from '../../../rows/row-source.ts';
import type { ColumnActions } from '../input/use-column-actions.ts';
import { dateFormats, numberFormats } from '../layout/cell-formats.ts';
import type { ColumnView } from '../layout/columns.ts';
import type { TableState } from '../state/table-settings.ts';
import { gridTexts } from '../texts.ts';

interface ColumnMenuProps {
  anchor: Element;
  column: ColumnView;
  state: TableState;
  actions: ColumnActions;
  onClean: ((column: string) => void) | undefined;
  onClose: () => void;
}

/**
 * Menu with every action on a column. All columns share one instance because a table may have
 * thousands of columns.
 */
export function ColumnMenu({ anchor, column, state, actions, onClean, onClose }: ColumnMenuProps) {
  const { sorts, pinned, options, formats: chosen, aggregates } = state;
  const container = containerOf(anchor);
  const isPinned = pinned.has(column.index);
  const sorted = sorts.find((sort) => sort.column === column.index);
  const others = sorts.some((sort) => sort.column !== column.index);
  const formats =
    column.type === 'number'
      ? numberFormats.map((value) => [value, gridTexts.formats[value]] as const)
      : column.type === 'date'
        ? dateFormats.map((value) => [value, value] as const)
        : [];
  const sortItem = (direction: ColumnSort['direction'], add: boolean, label: string) => (
    <MenuItem onClick={() => actions.sort(direction, add)}>
      <Icon of={direction === 'ascending' ? ArrowUp : ArrowDown} size="sm" />
      {label}
    </MenuItem>
  );
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()} modal={false}>
      <Base.Portal container={container}>
        <Base.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={4}
          className="menu-positioner"
        >
          <Base.Popup className="menu" aria-label={gridTexts.columnMenu(column.name)}>
            {sortItem('ascending', false, gridTexts.sortAscending)}
            {sortItem('descending', false, gridTexts.sortDescending)}
            {others && sortItem('ascending', true, gridTexts.addAscending)}
            {others && sortItem('descending', true, gridTexts.addDescending)}
            {sorted && (
              <MenuItem onClick={() => actions.sort(null, true)}>{gridTexts.unsort}</MenuItem>
            )}
            <MenuRule />
            <MenuItem onClick={actions.filter}>{gridTexts.filter}</MenuItem>
            <MenuItem onClick={actions.summary}>{gridTexts.summary}</MenuItem>
            {onClean && <MenuItem onClick={() => onClean(column.name)}>{gridTexts.clean}</MenuItem>}
            <MenuItem onClick={() => actions.pin(!isPinned)}>
              {isPinned ? gridTexts.unpin : gridTexts.pin}
            </MenuItem>
            <MenuItem onClick={actions.hide}>{gridTexts.hide}</MenuItem>
            <MenuItem onClick={actions.columns}>{gridTexts.columns}</MenuItem>
            <MenuRule />
            <MenuItem onClick={() => actions.move(-1)}>{gridTexts.moveBefore}</MenuItem>
            <MenuItem onClick={() => actions.move(1)}>{gridTexts.moveAfter}</MenuItem>
            <MenuItem onClick={() => actions.resize(20)}>{gridTexts.wider}</MenuItem>
            <MenuItem onClick={() => actions.resize(-20)}>{gridTexts.narrower}</MenuItem>
            <MenuItem onClick={actions.fit}>{gridTexts.fit}</MenuItem>
            <MenuRule />
            <Choices
              container={container}
              label={gridTexts.type}
              value={column.type}
              options={[
                ['string', gridTexts.types.string],
                ['number', gridTexts.types.number],
                ['date', gridTexts.types.date],
              ]}
              onValue={(value) => actions.type(value as ReadAs)}
            />
            {formats.length > 0 && (
              <Choices
                container={container}
                label={gridTexts.format}
                value={chosen.get(column.index) ?? 'auto'}
                options={[['auto', gridTexts.formats.auto], ...formats]}
                onValue={actions.format}
              />
            )}
            {options.showAggregationFooter && (
              <Choices
                container={container}
                label={gridTexts.footer}
                value={aggregates.get(column.index) ?? defaultAggregate(column)}
                options={columnAggregates.map(
                  (value) => [value, gridTexts.footers[value]] as const,
                )}
                onValue={(value) => actions.aggregate(value as ColumnAggregate)}
              />
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ChoicesProps {
  container: HTMLElement | ShadowRoot;
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onValue: (value: string) => void;
}

/** Submenu with a single choice. */
function Choices({ container, label, value, options, onValue }: ChoicesProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="menu-item">
        {label}
        <Icon of={ChevronRight} size="sm" className="key towards" />
      </Base.SubmenuTrigger>
      <Base.Portal container={container}>
        <Base.Positioner sideOffset={4} alignOffset={-4} className="menu-positioner">
          <Base.Popup className="menu">
            <MenuChoice
              label={label}
              value={value}
              options={options.map(([each, name]) => ({
                value: each,
                label: name,
                mark: each === value && <Icon of={Check} size="sm" className="key" />,
              }))}
              onValue={onValue}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
