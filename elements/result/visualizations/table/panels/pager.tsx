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
  const steps = [
    [gridTexts.firstPage, ChevronFirst, 0],
    [gridTexts.previousPage, ChevronLeft, page - 1],
    [gridTexts.nextPage, ChevronRight, page + 1],
    [gridTexts.lastPage, ChevronLast, last],
  ] as const;
  return (
    <div className="grid-pager in-row" role="group" aria-label={gridTexts.pager}>
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
      {steps.map(([label, icon, target]) => (
        <Button
          key={label}
          size="sm"
          className="towards"
          icon={icon}
          label={label}
          disabled={target < 0 || target > last || target === page}
          onClick={() => onPage(target)}
        />
      ))}
    </div>
  );
}
