import { Combobox } from '@base-ui/react/combobox';
import type { Principals } from '@tiding/client/protocol';
import { User, Users, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { fill } from '../../text/fill.ts';
import { Icon } from '../button.tsx';
import { ComboboxPopup } from './combobox-popup.tsx';
import { principalTexts as t } from './texts.ts';

interface PrincipalFieldProps {
  label: string;
  hint?: string;
  placeholder?: string;
  value: readonly string[];
  disabled?: boolean;
  onChange: (value: string[]) => void;
  /** Returns users and roles matching a term. If it rejects, no suggestions are shown. */
  suggest: (term: string) => Promise<Principals>;
  /** Minimum number of characters before suggestions are requested. Default: 3 (specification). */
  atLeast?: number;
  /** Delay between the last key and the request, in ms. Default: 250 (specification). */
  delay?: number;
  onlyRoles?: boolean;
}

interface Group {
  value: string;
  role: boolean;
  items: string[];
}

/**
 * Users and roles as chips. Comma, space or Enter ends a name. Names that are not suggested are
 * accepted.
 */
export function PrincipalField({
  label,
  hint,
  placeholder,
  value,
  disabled,
  onChange,
  suggest,
  atLeast = 3,
  delay = 250,
  onlyRoles = false,
}: PrincipalFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [groups, setGroups] = useState<Group[]>([]);
  const isShown = isOpen && groups.length > 0;
  const [roles, setRoles] = useState<ReadonlySet<string>>(new Set());
  const highlighted = useRef<string>(undefined);
  const newest = useRef(suggest);
  newest.current = suggest;

  useEffect(() => {
    const term = typed.trim();
    if (term.length < atLeast) {
      setGroups([]);
      return undefined;
    }
    let current = true;
    const timer = setTimeout(() => {
      newest.current(term).then(
        ({ users, roles: found }) => {
          if (!current) return;
          setRoles((known) => new Set([...known, ...found]));
          setGroups(
            [
              { value: t.users, role: false, items: [...users] },
              { value: t.roles, role: true, items: [...found] },
            ].filter(({ items }) => items.length > 0),
          );
        },
        () => current && setGroups([]),
      );
    }, delay);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [typed, atLeast, delay]);

  const add = (source: string): void => {
    const names = source.split(/[,\s]+/).filter((name) => name !== '' && !value.includes(name));
    if (names.length > 0) onChange([...value, ...new Set(names)]);
    setTyped('');
  };

  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <Combobox.Root<string, true>
        multiple
        items={groups}
        filter={null}
        value={[...value]}
        disabled={disabled ?? false}
        autoHighlight={false}
        onValueChange={(names) => {
          onChange(names);
          setTyped('');
        }}
        inputValue={typed}
        open={isShown}
        onOpenChange={setOpen}
        // A separator in typed or pasted text ends a name.
        onInputValueChange={(now, { reason }) => {
          if (reason !== 'input-change') return;
          if (/[,\s]/.test(now)) add(now);
          else setTyped(now);
        }}
        onItemHighlighted={(item) => (highlighted.current = item as string | undefined)}
      >
        <Combobox.Chips className={disabled ? 'input chips off' : 'input chips'}>
          {value.map((name) => (
            <Combobox.Chip key={name} className="chip" aria-label={name}>
              <Icon of={onlyRoles || roles.has(name) ? Users : User} size="xs" />
              {name}
              {disabled ? null : (
                <Combobox.ChipRemove className="chip-remove" aria-label={fill(t.remove, { name })}>
                  <Icon of={X} size="xs" />
                </Combobox.ChipRemove>
              )}
            </Combobox.Chip>
          ))}
          <Combobox.Input
            id={id}
            placeholder={value.length === 0 ? placeholder : undefined}
            aria-describedby={hint ? `${id}-hint` : undefined}
            onBlur={() => add(typed)}
            onKeyDown={(event) => {
              // Base UI removes all names if Escape is pressed while no list is shown.
              if (event.key === 'Escape' && !isShown) event.preventBaseUIHandler();
              if (event.key !== 'Enter' || typed.trim() === '' || highlighted.current !== undefined)
                return;
              event.preventDefault();
              add(typed);
            }}
          />
        </Combobox.Chips>
        <ComboboxPopup>
          <Combobox.List>
            {(group: Group) => (
              <Combobox.Group key={group.value} items={group.items}>
                <Combobox.GroupLabel className="menu-heading">{group.value}</Combobox.GroupLabel>
                <Combobox.Collection>
                  {(name: string) => (
                    <Combobox.Item key={name} value={name} className="menu-item">
                      <Icon of={group.role ? Users : User} />
                      {name}
                    </Combobox.Item>
                  )}
                </Combobox.Collection>
              </Combobox.Group>
            )}
          </Combobox.List>
        </ComboboxPopup>
      </Combobox.Root>
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
    </div>
  );
}
