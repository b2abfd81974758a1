import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useEvent, useStableValue } from '../../../../runtime/hooks.ts';
import { Button } from '../../../../ui/button.tsx';
import { useDebounced } from '../../../displays/use-debounced.ts';
import { formatInteger } from '../../../parts/numbers.ts';
import { runGenerator } from '../../../rows/run-generator.ts';
import type { CellPosition } from '../input/selection.ts';
import { gridTexts } from '../texts.ts';
import { type CellSearch, countMatches, type FoundMatches, findMatch } from './find-cells.ts';
import { countOnServer, stepOnServer } from './find-remote.ts';

interface SearchBarProps extends Omit<CellSearch, 'needle'> {
  /** The active cell, where the search starts. */
  active: CellPosition;
  onNeedle: (needle: string) => void;
  onGo: (place: CellPosition) => void;
  onClose: () => void;
}

/** Search field that highlights matching cells as displayed; Next and Previous move to them. */
export default function SearchBar({
  source,
  columns,
  count,
  rowAt,
  active,
  onNeedle,
  onGo,
  onClose,
}: SearchBarProps) {
  const [text, setText] = useState('');
  const needle = useDebounced(text.trim().toLowerCase(), true);
  const [found, setFound] = useState<FoundMatches | null>(null);
  const stop = useRef<() => void>(() => {});
  const go = useEvent(onGo);
  // A new order alone doesn't repeat the search.
  const search = useStableValue({ source, columns, count, rowAt, needle }, [
    needle,
    source.length,
    source.remote,
    count,
  ]);
  const highlight = useEvent(onNeedle);
  useEffect(() => {
    highlight(search.needle);
    setFound(null);
    if (search.needle === '') return undefined;
    const show = (matches: FoundMatches): void => {
      setFound(matches);
      if (matches.first) go(matches.first);
    };
    const { remote } = search.source;
    return remote ? countOnServer(remote, search, show) : runGenerator(countMatches(search), show);
  }, [search, highlight, go]);
  useEffect(
    () => () => {
      stop.current();
      highlight('');
    },
    [highlight],
  );
  const step = (backwards: boolean): void => {
    if (needle === '') return;
    stop.current();
    const show = (place: CellPosition | null): void => {
      if (place) go(place);
    };
    const searched = { source, columns, count, rowAt, needle };
    stop.current =
      source.remote && found
        ? stepOnServer(source.remote, searched, { from: active, backwards, found }, show)
        : runGenerator(findMatch(searched, active, backwards), show);
  };
  const place = found ? found.before(active) : -1;
  const total = found
    ? found.capped
      ? gridTexts.atLeast(formatInteger(found.count))
      : formatInteger(found.count)
    : '';
  const status =
    needle === ''
      ? ''
      : !found
        ? gridTexts.searching
        : found.count === 0
          ? gridTexts.noMatch
          : place >= 0
            ? gridTexts.matches(formatInteger(place + 1), total)
            : gridTexts.matchCount(total, found.count === 1);
  return (
    <div className="grid-search in-row" role="search">
      <input
        type="search"
        className="grid-filter"
        aria-label={gridTexts.search}
        placeholder={gridTexts.search}
        value={text}
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
        label={gridTexts.previous}
        disabled={!found?.count}
        onClick={() => step(true)}
      />
      <Button
        size="sm"
        icon={ChevronDown}
        label={gridTexts.next}
        disabled={!found?.count}
        onClick={() => step(false)}
      />
      <Button size="sm" icon={X} label={gridTexts.closeSearch} onClick={onClose} />
    </div>
  );
}
