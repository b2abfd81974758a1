import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { PortalValue } from '../portal/signals.ts';
import { portalTexts } from '../portal/texts.ts';
import { type FilterOption, optionLabel, optionValue } from './filter-options.ts';

const texts = portalTexts.filter;
/** Values that are shown at once; the others are found by typing. */
const MAX_SHOWN = 200;
/** Shorter lists need no search. */
const MIN_SEARCHED = 8;

interface ValueListProps {
  label: string;
  options: readonly FilterOption[];
  chosen: readonly PortalValue[];
  /** Says why there are no options. */
  empty?: string | undefined;
  onToggle: (value: PortalValue) => void;
}

const formatCount = (count: number): string => new Intl.NumberFormat().format(count);

/** Check boxes for values, with a search field. The arrow keys move between the boxes. */
export function ValueList({ label, options, chosen, empty, onToggle }: ValueListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [term, setTerm] = useState('');
  const [at, setAt] = useState(0);
  const offered = new Set(options.map(optionValue));
  // A chart of the page may have chosen a value that is not offered.
  const all: FilterOption[] = [...options, ...chosen.filter((value) => !offered.has(value))];
  const wanted = term.trim().toLowerCase();
  const found = all.filter((option) => optionLabel(option).toLowerCase().includes(wanted));
  const shown = found.slice(0, MAX_SHOWN);
  const tabStop = Math.min(at, shown.length - 1);
  const note =
    shown.length < found.length
      ? texts.first(formatCount(shown.length), formatCount(found.length))
      : found.length > 0
        ? ''
        : wanted !== ''
          ? texts.noMatch
          : (empty ?? texts.noOptions);

  const onKeyDown = (event: KeyboardEvent): void => {
    const next = {
      ArrowDown: tabStop + 1,
      ArrowUp: tabStop - 1,
      Home: 0,
      End: shown.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const place = Math.max(0, Math.min(shown.length - 1, next));
    setAt(place);
    list.current!.querySelectorAll<HTMLElement>('input')[place]?.focus();
  };
  return (
    <>
      {all.length >= MIN_SEARCHED && (
        <span className="input">
          <input
            type="search"
            value={term}
            aria-label={texts.search(label)}
            placeholder={texts.search(label)}
            aria-controls={id}
            onChange={({ target }) => {
              setTerm(target.value);
              setAt(0);
            }}
          />
        </span>
      )}
      <div
        ref={list}
        id={id}
        className="filter-list"
        role="group"
        aria-label={label}
        onKeyDown={onKeyDown}
      >
        {shown.map((option, place) => {
          const value = optionValue(option);
          return (
            <label key={`${typeof value} ${value}`} className="filter-option">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                tabIndex={place === tabStop ? 0 : -1}
                onFocus={() => setAt(place)}
                onChange={() => onToggle(value)}
              />
              <span>{optionLabel(option)}</span>
            </label>
          );
        })}
      </div>
      <p className="filter-note" role="status">
        {note}
      </p>
    </>
  );
}
