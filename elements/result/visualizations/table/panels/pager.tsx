import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../../../ui/button.tsx';
import { formatInteger } from '../../../parts/numbers.ts';
import { pageSizes } from '../state/table-settings.ts';
import { gridTexts } from '../texts.ts';

interface PagerProps {
  /** Current page, starting at 0. */
  page: number;
  size: number;
  count: number;
  onPage: (page: number) => void;
  onSize: (size: number) => void;
}

/** Page navigation of a table, with a page-size selector. */
export function TablePager({ page, size, count, onPage, onSize }: PagerProps) {
  const last = Math.max(0, Math.ceil(count / size) - 1);
  return (
    <div className="grid-pager" role="group" aria-label={gridTexts.pager}>
      <label className="grid-page-size">
        {gridTexts.pageSize}{' '}
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
        {gridTexts.page(
          formatInteger(Math.min(count, page * size + 1)),
          formatInteger(Math.min(count, (page + 1) * size)),
          formatInteger(count),
        )}
      </span>
      <Button
        size="sm"
        className="towards"
        icon={ChevronFirst}
        label={gridTexts.firstPage}
        disabled={page === 0}
        onClick={() => onPage(0)}
      />
      <Button
        size="sm"
        className="towards"
        icon={ChevronLeft}
        label={gridTexts.previousPage}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="sm"
        className="towards"
        icon={ChevronRight}
        label={gridTexts.nextPage}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      />
      <Button
        size="sm"
        className="towards"
        icon={ChevronLast}
        label={gridTexts.lastPage}
        disabled={page >= last}
        onClick={() => onPage(last)}
      />
    </div>
  );
}
