import { fill } from '../../text/fill.ts';
import { MenuButton, type MenuEntry, withRules } from '../../ui/menu/menu-button.tsx';
import { useEngine } from './engine.ts';
import { engineTexts as t } from './engine-texts.ts';

const groups = [
  ['restart-engine', 'interrupt'],
  ['run-from-here', 'clear-run-all'],
];

/** Shows the engine of the focused paragraph with its state, and opens its commands. */
export function EngineMenu({ entries }: { entries: (ids: readonly string[]) => MenuEntry[] }) {
  const engine = useEngine();
  if (!engine) return null;
  const { name } = engine.binding;
  const state = engine.state && t.states[engine.state];
  const all = () => withRules(groups.map(entries));
  // A revision and the report layout have none of these commands.
  if (all().length === 0) return null;
  return (
    <MenuButton
      className={`engine ${engine.state ?? ''}`}
      label={state === undefined ? fill(t.nameOnly, { name }) : fill(t.name, { name, state })}
      entries={all}
    >
      <span className="status-dot" aria-hidden="true" />
      <bdi className="engine-name truncate">{name}</bdi>
      {state === undefined ? null : ' '}
      {state === undefined ? null : <span className="engine-state">{state}</span>}
    </MenuButton>
  );
}
