import { Menu as Base } from '@base-ui/react/menu';
import { ArrowDown, ArrowUp, Check, ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../../../ui/button.tsx';
import {
  type ColumnAggregate,
  type ColumnSort,
  columnAggregates,
} from '../../../rows/arrangement.ts';
import type { ReadAs } from '../../../rows/row-source.ts';
import { dateFormats, numberFormats } from '../layout/cell-formats.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';

/** Actions of a column's menu. */
export interface ColumnActions {
  sort(direction: ColumnSort['direction'] | null, add: boolean): void;
  filter(): void;
  pin(pinned: boolean): void;
  hide(): void;
  columns(): void;
  move(by: -1 | 1): void;
  resize(by: number): void;
  fit(): void;
  type(type: ReadAs): void;
  format(format: string): void;
  aggregate(how: ColumnAggregate): void;
  summary(): void;
}

interface ColumnMenuProps {
  anchor: Element;
  column: ColumnView;
  sorts: readonly ColumnSort[];
  pinned: boolean;
  format: string | undefined;
  /** Undefined while the footer is hidden. */
  aggregate: ColumnAggregate | undefined;
  actions: ColumnActions;
  onClose: () => void;
}

/**
 * Menu with every action on a column. All columns share one instance because a table may have
 * thousands of columns.
 */
export function ColumnMenu({
  anchor,
  column,
  sorts,
  pinned,
  format,
  aggregate,
  actions,
  onClose,
}: ColumnMenuProps) {
  const root = anchor.getRootNode();
  const container =
    anchor.closest<HTMLElement>(':popover-open') ??
    (root instanceof ShadowRoot ? root : anchor.ownerDocument.body);
  const sorted = sorts.find((sort) => sort.column === column.index);
  const others = sorts.some((sort) => sort.column !== column.index);
  const formats =
    column.type === 'number'
      ? numberFormats.map((value) => [value, gridTexts.formats[value]] as const)
      : column.type === 'date'
        ? dateFormats.map((value) => [value, value] as const)
        : [];
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
            <Item icon={ArrowUp} onClick={() => actions.sort('ascending', false)}>
              {gridTexts.sortAscending}
            </Item>
            <Item icon={ArrowDown} onClick={() => actions.sort('descending', false)}>
              {gridTexts.sortDescending}
            </Item>
            {others && (
              <Item icon={ArrowUp} onClick={() => actions.sort('ascending', true)}>
                {gridTexts.addAscending}
              </Item>
            )}
            {others && (
              <Item icon={ArrowDown} onClick={() => actions.sort('descending', true)}>
                {gridTexts.addDescending}
              </Item>
            )}
            {sorted && <Item onClick={() => actions.sort(null, true)}>{gridTexts.unsort}</Item>}
            <Base.Separator className="menu-rule" />
            <Item onClick={actions.filter}>{gridTexts.filter}</Item>
            <Item onClick={actions.summary}>{gridTexts.summary}</Item>
            <Item onClick={() => actions.pin(!pinned)}>
              {pinned ? gridTexts.unpin : gridTexts.pin}
            </Item>
            <Item onClick={actions.hide}>{gridTexts.hide}</Item>
            <Item onClick={actions.columns}>{gridTexts.columns}</Item>
            <Base.Separator className="menu-rule" />
            <Item onClick={() => actions.move(-1)}>{gridTexts.moveBefore}</Item>
            <Item onClick={() => actions.move(1)}>{gridTexts.moveAfter}</Item>
            <Item onClick={() => actions.resize(20)}>{gridTexts.wider}</Item>
            <Item onClick={() => actions.resize(-20)}>{gridTexts.narrower}</Item>
            <Item onClick={actions.fit}>{gridTexts.fit}</Item>
            <Base.Separator className="menu-rule" />
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
                value={format ?? 'auto'}
                options={[['auto', gridTexts.formats.auto], ...formats]}
                onValue={actions.format}
              />
            )}
            {aggregate && (
              <Choices
                container={container}
                label={gridTexts.footer}
                value={aggregate}
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

function Item({
  icon,
  onClick,
  children,
}: {
  icon?: LucideIcon;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Base.Item className="menu-item" onClick={onClick}>
      {icon && <Icon of={icon} size="sm" />}
      {children}
    </Base.Item>
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
            <Base.RadioGroup
              value={value}
              onValueChange={(next: string) => onValue(next)}
              aria-label={label}
            >
              {options.map(([each, name]) => (
                <Base.RadioItem
                  key={each}
                  value={each}
                  className="menu-item menu-choice"
                  closeOnClick
                >
                  {name}
                  {each === value && <Icon of={Check} size="sm" className="key" />}
                </Base.RadioItem>
              ))}
            </Base.RadioGroup>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
