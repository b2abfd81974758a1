import { ChevronDown, Ellipsis, type LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactElement, RefObject } from 'react';
import { Button, Icon } from '../../../ui/button.tsx';
import { chooseByArrow } from '../../../ui/choice-keys.ts';
import { Menu, MenuChoice } from '../../parts/menu.tsx';
import { resultText } from '../../texts.ts';
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

interface ViewMenuProps extends Omit<ViewSwitchProps, 'isShown'> {
  label: string;
  children: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
}

/** A menu of views, opened by a button. */
function ViewMenu({ frame, label, views, chosen, onView, children }: ViewMenuProps) {
  return (
    <Menu within={frame} align="start" trigger={children}>
      <MenuChoice
        label={label}
        value={chosen.id}
        options={views.map((view) => ({
          value: view.id,
          label: view.label,
          icon: <Icon of={view.icon as LucideIcon} />,
        }))}
        onValue={onView}
      />
    </Menu>
  );
}

/**
 * View selector: segmented buttons, or a single menu button where the style sheet finds too little
 * space.
 */
export function ViewSwitch({ frame, views, chosen, isShown, onView }: ViewSwitchProps) {
  const buttons = views.filter(({ isInMenu }) => !isInMenu);
  const further = views.filter(({ isInMenu }) => isInMenu);
  const isFurther = further.includes(chosen) && isShown;
  const label = `${resultText.table.view}: ${chosen.label}`;
  const menu = { frame, chosen, onView };
  return (
    <>
      <div
        className="segments view-segments"
        role="radiogroup"
        aria-label={resultText.table.view}
        onKeyDown={(event) =>
          chooseByArrow(event, Math.max(0, buttons.indexOf(chosen)), buttons.length, (at) =>
            onView(buttons[at]!.id),
          )
        }
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
          <ViewMenu {...menu} label={resultText.table.further} views={further}>
            <Button
              size="sm"
              className={isFurther ? 'chosen' : ''}
              icon={(isFurther ? chosen.icon : Ellipsis) as LucideIcon}
              label={isFurther ? label : resultText.table.further}
            >
              {isFurther ? chosen.label : null}
              <Icon of={ChevronDown} size="sm" />
            </Button>
          </ViewMenu>
        </span>
      )}
      <span className="view-menu">
        <ViewMenu {...menu} label={resultText.table.view} views={views}>
          <Button kind="secondary" icon={chosen.icon as LucideIcon} label={label}>
            {chosen.label}
            <Icon of={ChevronDown} size="sm" />
          </Button>
        </ViewMenu>
      </span>
    </>
  );
}
