import { ChevronDown, Ellipsis, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { resultText } from '../../../text/results/result.ts';
import { Button, Icon } from '../../../ui/button.tsx';
import { Menu, MenuChoice } from '../../parts/menu.tsx';
import type { BuiltInVisualization } from '../../visualizations/contract.ts';
import { viewOf } from './load-view.ts';

interface ViewSwitchProps {
  frame: RefObject<HTMLElement | null>;
  views: readonly BuiltInVisualization[];
  chosen: BuiltInVisualization;
  /** Whether the chosen view is visible; an application may be shown instead. */
  isShown: boolean;
  onView: (id: string) => void;
}

/**
 * View selector: segmented buttons, or a single menu button where the style sheet finds too little
 * space.
 */
export function ViewSwitch({ frame, views, chosen, isShown, onView }: ViewSwitchProps) {
  const group = useRef<HTMLDivElement>(null);
  const buttons = views.filter(({ isInMenu }) => !isInMenu);
  const further = views.filter(({ isInMenu }) => isInMenu);
  const isFurther = further.includes(chosen) && isShown;
  const onKeyDown = (event: KeyboardEvent): void => {
    const by =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = Math.max(0, buttons.indexOf(chosen));
    const next = (at + by + buttons.length) % buttons.length;
    onView(buttons[next]!.id);
    group.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <div
        ref={group}
        className="segments view-segments"
        role="radiogroup"
        aria-label={resultText.table.view}
        onKeyDown={onKeyDown}
      >
        {buttons.map((view, at) => (
          <button
            key={view.id}
            type="button"
            role="radio"
            aria-checked={view === chosen && isShown}
            aria-label={view.label}
            title={view.label}
            tabIndex={view === chosen || (at === 0 && further.includes(chosen)) ? 0 : -1}
            onPointerEnter={() => void viewOf(view).preload()}
            onFocus={() => void viewOf(view).preload()}
            onClick={() => onView(view.id)}
          >
            <Icon of={view.icon as LucideIcon} />
          </button>
        ))}
      </div>
      {further.length > 0 && (
        <span className="further-views">
          <Menu
            within={frame}
            align="start"
            trigger={
              <Button
                size="sm"
                className={isFurther ? 'chosen' : ''}
                icon={(isFurther ? chosen.icon : Ellipsis) as LucideIcon}
                label={
                  isFurther ? `${resultText.table.view}: ${chosen.label}` : resultText.table.further
                }
              >
                {isFurther ? chosen.label : null}
                <Icon of={ChevronDown} size="sm" />
              </Button>
            }
          >
            <MenuChoice
              label={resultText.table.further}
              value={chosen.id}
              options={further.map(({ id, label, icon }) => ({
                value: id,
                label,
                icon: <Icon of={icon as LucideIcon} />,
              }))}
              onValue={onView}
            />
          </Menu>
        </span>
      )}
      <span className="view-menu">
        <Menu
          within={frame}
          align="start"
          trigger={
            <Button
              kind="secondary"
              icon={chosen.icon as LucideIcon}
              label={`${resultText.table.view}: ${chosen.label}`}
            >
              {chosen.label}
              <Icon of={ChevronDown} size="sm" />
            </Button>
          }
        >
          <MenuChoice
            label={resultText.table.view}
            value={chosen.id}
            options={views.map(({ id, label, icon }) => ({
              value: id,
              label,
              icon: <Icon of={icon as LucideIcon} />,
            }))}
            onValue={onView}
          />
        </Menu>
      </span>
    </>
  );
}
