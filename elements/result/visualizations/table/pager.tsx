import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import { formatInteger } from '../../numbers.ts';
import { pageSizes } from './settings.ts';

interface PagerProps {
  /** From 0. */
  page: number;
  size: number;
  count: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}

/** Pages of a table, and how long they are. */
export function Pager({ page, size, count, onPage, onSize }: PagerProps) {
  const words = texts.grid;
  const last = Math.max(0, Math.ceil(count / size) - 1);
  return (
    <div className="grid-pager" role="group" aria-label={words.pager}>
      <label className="grid-page-size">
        {words.pageSize}{' '}
        <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
          {pageSizes.map((each) => (
            <option key={each} value={each}>
              {formatInteger(each)}
            </option>
          ))}
        </select>
      </label>
      <span className="grow" />
      <span aria-live="polite">
        {words.page(
          formatInteger(Math.min(count, page * size + 1)),
          formatInteger(Math.min(count, (page + 1) * size)),
          formatInteger(count),
        )}
      </span>
      <Button
        size="sm"
        className="towards"
        icon={ChevronFirst}
        label={words.firstPage}
        disabled={page === 0}
        onClick={() => onPage(0)}
      />
      <Button
        size="sm"
        className="towards"
        icon={ChevronLeft}
        label={words.previousPage}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="sm"
        className="towards"
        icon={ChevronRight}
        label={words.nextPage}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      />
      <Button
        size="sm"
        className="towards"
        icon={ChevronLast}
        label={words.lastPage}
        disabled={page >= last}
        onClick={() => onPage(last)}
      />
    </div>
  );
}
