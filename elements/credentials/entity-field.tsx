import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { credentialTexts as t } from './texts.ts';

/** Maximum number of suggestions shown. */
const MAX_SUGGESTIONS = 50;

interface EntityFieldProps {
  value: string;
  names: readonly string[];
  hint: string;
  onValue: (value: string) => void;
}

/**
 * Combobox for the entity of a credential. Suggests `group.name` of each interpreter and accepts
 * any text. Not modal: the page stays readable by screen readers while the list is open.
 */
export function EntityField({ value, names, hint, onValue }: EntityFieldProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useRef<HTMLUListElement>(null);
  const term = value.trim().toLowerCase();
  const found = names
    .filter((name) => name !== value && name.toLowerCase().includes(term))
    .slice(0, MAX_SUGGESTIONS);
  const shown = open && found.length > 0;
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const show = (now: boolean): void => {
    setOpen(now);
    setAt(-1);
  };
  const take = (name: string): void => {
    onValue(name);
    show(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (shown)
        setAt((before) =>
          before < 0 && step < 0 ? found.length - 1 : (before + step + found.length) % found.length,
        );
      else show(true);
    } else if (shown && event.key === 'Escape') {
      event.stopPropagation();
      show(false);
    } else if (shown && event.key === 'Enter' && found[at] !== undefined) {
      event.preventDefault();
      take(found[at]);
    }
  };
  return (
    <div className="field entity-field">
      <label className="label" htmlFor={id}>
        {t.entity}
      </label>
      <span className="input">
        <input
          id={id}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? `${id}-list` : undefined}
          aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
          aria-describedby={`${id}-hint`}
          value={value}
          placeholder={t.entityPlaceholder}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          onChange={({ target }) => {
            onValue(target.value);
            show(true);
          }}
          onClick={() => show(true)}
          onBlur={() => show(false)}
          onKeyDown={onKeyDown}
        />
      </span>
      {shown ? (
        <ul
          ref={list}
          className="menu entity-list"
          id={`${id}-list`}
          role="listbox"
          aria-label={t.entity}
        >
          {found.map((name, index) => (
            // Keep the focus in the field.
            <li
              key={name}
              id={`${id}-${index}`}
              className="menu-item"
              role="option"
              aria-selected={index === at}
              data-highlighted={index === at || undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              {name}
            </li>
          ))}
        </ul>
      ) : null}
      <span className="hint" id={`${id}-hint`} role="status">
        {hint}
      </span>
    </div>
  );
}
