/** Tabs in a widget, with arrow keys, Home and End (ARIA tabs pattern). Needs tabs.css. */
import { type ReactNode, useId, useState } from 'react';
import { chooseTab } from '../ui/choice-keys.ts';
import tabsSheet from './tabs.css';

export { tabsSheet };

/** A tab and its content. */
export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: number | undefined;
  /** Renders the content of the selected tab. */
  readonly body: () => ReactNode;
}

/**
 * Shows one tab at a time: the first, until another is selected or if the selected one disappears.
 */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const own = useId();
  const [wanted, choose] = useState('');
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === wanted),
  );
  const chosen = tabs[at];
  if (!chosen) return null;
  return (
    <div className="widget-tabs">
      <div
        className="tab-list"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => chooseTab(event, at, tabs.length, (to) => choose(tabs[to]!.id))}
      >
        {tabs.map(({ id, label: name, count }, index) => (
          <button
            key={id}
            id={`${own}${id}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls={`${own}panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(id)}
          >
            {name}
            {count === undefined ? null : <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        id={`${own}panel`}
        role="tabpanel"
        aria-labelledby={`${own}${chosen.id}`}
        tabIndex={0}
      >
        {chosen.body()}
      </div>
    </div>
  );
}
