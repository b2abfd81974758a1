import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import { formatInteger } from '../../numbers.ts';
import type { Place } from './cells.ts';
import { countMatches, findMatch, type Searched } from './find.ts';
import { runInSlices } from './order.ts';

/** A search starts this long after the last key, ms. */
const debounce = 200;

interface SearchBarProps extends Omit<Searched, 'needle'> {
  /** The active cell. */
  active: Place;
  onNeedle: (needle: string) => void;
  onGo: (place: Place) => void;
  onClose: () => void;
}

/** Looks for a text in the cells as they are shown: a mark in each that has it, next and previous go to them. */
export function SearchBar({
  source,
  columns,
  count,
  rowAt,
  active,
  onNeedle,
  onGo,
  onClose,
}: SearchBarProps) {
  const words = texts.grid;
  const [text, setText] = useState('');
  const [needle, setNeedle] = useState('');
  const [found, setFound] = useState<{
    count: number;
    capped: boolean;
    before: (place: Place) => number;
  } | null>(null);
  const stop = useRef<() => void>(() => {});
  const go = useRef(onGo);
  go.current = onGo;
  useEffect(() => {
    const timer = setTimeout(() => setNeedle(text.trim().toLowerCase()), debounce);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    onNeedle(needle);
    setFound(null);
    if (needle === '') return undefined;
    return runInSlices(countMatches({ source, columns, count, rowAt, needle }), (matches) => {
      setFound(matches);
      if (matches.first) go.current(matches.first);
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- rows in another order are not searched anew by themselves
  }, [needle, source.length, count]);
  useEffect(
    () => () => {
      stop.current();
      onNeedle('');
      // eslint-disable-next-line react-hooks/exhaustive-deps -- once, at the end
    },
    [],
  );
  const step = (backwards: boolean): void => {
    if (needle === '') return;
    stop.current();
    stop.current = runInSlices(
      findMatch({ source, columns, count, rowAt, needle }, active, backwards),
      (place) => place && go.current(place),
    );
  };
  const place = found ? found.before(active) : -1;
  const total = found
    ? found.capped
      ? words.atLeast(formatInteger(found.count))
      : formatInteger(found.count)
    : '';
  const status =
    needle === ''
      ? ''
      : !found
        ? words.searching
        : found.count === 0
          ? words.noMatch
          : place >= 0
            ? words.matches(formatInteger(place + 1), total)
            : words.matchCount(total, found.count === 1);
  return (
    <div className="grid-search" role="search">
      <input
        type="search"
        className="grid-filter"
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- it was asked for
        autoFocus
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey);
          else if (event.key === 'Escape') onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span className="grid-search-count" aria-live="polite">
        {status}
      </span>
      <Button
        size="sm"
        icon={ChevronUp}
        label={words.previous}
        disabled={!found?.count}
        onClick={() => step(true)}
      />
      <Button
        size="sm"
        icon={ChevronDown}
        label={words.next}
        disabled={!found?.count}
        onClick={() => step(false)}
      />
      <Button size="sm" icon={X} label={words.closeSearch} onClick={onClose} />
    </div>
  );
}
