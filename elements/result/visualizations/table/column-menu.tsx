import { Menu as Base } from '@base-ui/react/menu';
import { ArrowDown, ArrowUp, Check, ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../../text/table.ts';
import { Icon } from '../../../ui/button.tsx';
import type { ColumnView } from './columns.ts';
import { dateFormats, numberFormats } from './formats.ts';
import type { ReadAs } from './sort-keys.ts';
import type { Sort } from './sort.ts';
import { aggregates, type Aggregate } from './summary.ts';

/** What the menu of a column can do. */
export interface ColumnActions {
  sort(direction: Sort['direction'] | null, add: boolean): void;
  filter(): void;
  pin(pinned: boolean): void;
  hide(): void;
  columns(): void;
  move(by: -1 | 1): void;
  resize(by: number): void;
  fit(): void;
  type(type: ReadAs): void;
  format(format: string): void;
  aggregate(how: Aggregate): void;
  summary(): void;
}

interface ColumnMenuProps {
  anchor: Element;
  column: ColumnView;
  sorts: readonly Sort[];
  pinned: boolean;
  format: string | undefined;
  /** Undefined while no footer is shown. */
  aggregate: Aggregate | undefined;
  actions: ColumnActions;
  onClose: () => void;
}

/** Everything that can be done with a column; one menu for all, since there may be thousands of columns. */
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
  const words = texts.grid;
  const root = anchor.getRootNode();
  const container =
    anchor.closest<HTMLElement>(':popover-open') ??
    (root instanceof ShadowRoot ? root : anchor.ownerDocument.body);
  const sorted = sorts.find((sort) => sort.column === column.index);
  const others = sorts.some((sort) => sort.column !== column.index);
  const formats =
    column.type === 'number'
      ? numberFormats.map((value) => [value, words.formats[value]] as const)
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
          <Base.Popup className="menu" aria-label={words.columnMenu(column.name)}>
            <Item icon={ArrowUp} onClick={() => actions.sort('ascending', false)}>
              {words.sortAscending}
            </Item>
            <Item icon={ArrowDown} onClick={() => actions.sort('descending', false)}>
              {words.sortDescending}
            </Item>
            {others && (
              <Item icon={ArrowUp} onClick={() => actions.sort('ascending', true)}>
                {words.addAscending}
              </Item>
            )}
            {others && (
              <Item icon={ArrowDown} onClick={() => actions.sort('descending', true)}>
                {words.addDescending}
              </Item>
            )}
            {sorted && <Item onClick={() => actions.sort(null, true)}>{words.unsort}</Item>}
            <Base.Separator className="menu-rule" />
            <Item onClick={actions.filter}>{words.filter}</Item>
            <Item onClick={actions.summary}>{words.summary}</Item>
            <Item onClick={() => actions.pin(!pinned)}>{pinned ? words.unpin : words.pin}</Item>
            <Item onClick={actions.hide}>{words.hide}</Item>
            <Item onClick={actions.columns}>{words.columns}</Item>
            <Base.Separator className="menu-rule" />
            <Item onClick={() => actions.move(-1)}>{words.moveBefore}</Item>
            <Item onClick={() => actions.move(1)}>{words.moveAfter}</Item>
            <Item onClick={() => actions.resize(20)}>{words.wider}</Item>
            <Item onClick={() => actions.resize(-20)}>{words.narrower}</Item>
            <Item onClick={actions.fit}>{words.fit}</Item>
            <Base.Separator className="menu-rule" />
            <Choices
              container={container}
              label={words.type}
              value={column.type}
              options={[
                ['string', words.types.string],
                ['number', words.types.number],
                ['date', words.types.date],
              ]}
              onValue={(value) => actions.type(value as ReadAs)}
            />
            {formats.length > 0 && (
              <Choices
                container={container}
                label={words.format}
                value={format ?? 'auto'}
                options={[['auto', words.formats.auto], ...formats]}
                onValue={actions.format}
              />
            )}
            {aggregate && (
              <Choices
                container={container}
                label={words.footer}
                value={aggregate}
                options={aggregates.map((value) => [value, words.footers[value]] as const)}
                onValue={(value) => actions.aggregate(value as Aggregate)}
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

/** An entry that opens a list of which one is chosen. */
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
