/** Pagination of lists and tables. Needs the styles of `pageSheet`. */

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { fill } from '../text/fill.ts';
import { Icon } from './button.tsx';
import { pageTexts as t } from './page-texts.ts';

/** Entries per page (specification). */
export const PAGE_SIZE = 10;
/** Maximum number of page links (specification). */
const PAGE_LINKS = 5;

/**
 * Returns the entries of one page, with the page number clamped to the list. Pages count from 1.
 */
export function entriesOnPage<Item>(
  items: readonly Item[],
  wanted: number,
  size = PAGE_SIZE,
): { shown: readonly Item[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  return { shown: items.slice((page - 1) * size, page * size), page, pages };
}

/** Page numbers to link: at most five, around the current page. */
function pageNumbers(page: number, pages: number, links = PAGE_LINKS): number[] {
  const count = Math.min(links, pages);
  const first = Math.min(Math.max(1, page - Math.floor(links / 2)), pages - count + 1);
  return Array.from({ length: count }, (_, at) => first + at);
}

interface PagerProps {
  /** Counts from 1. */
  page: number;
  /** Number of entries on all pages. */
  total: number;
  size?: number;
  onPage: (page: number) => void;
}

/** The range of entries shown, page links, and buttons for the previous and next page. */
export function Pager({ page, total, size = PAGE_SIZE, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / size));
  const step = (label: string, icon: typeof ChevronLeft, target: number) => (
    <button
      type="button"
      aria-label={label}
      disabled={target < 1 || target > pages || target === page}
      onClick={() => onPage(target)}
    >
      <Icon of={icon} size="sm" />
    </button>
  );
  return (
    <div className="page-foot">
      <span aria-live="polite">
        {total === 0
          ? ''
          : fill(t.range, {
              from: (page - 1) * size + 1,
              to: Math.min(total, page * size),
              total,
            })}
      </span>
      <span className="grow" />
      {pages < 2 ? null : (
        <nav className="pager" aria-label={t.pages}>
          {step(t.previous, ChevronLeft, page - 1)}
          {pageNumbers(page, pages).map((number) => (
            <button
              key={number}
              type="button"
              aria-label={fill(t.page, { n: number })}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
            >
              {number}
            </button>
          ))}
          {step(t.next, ChevronRight, page + 1)}
        </nav>
      )}
    </div>
  );
}
