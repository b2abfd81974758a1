import { portalTexts } from '../portal/texts.ts';

const texts = portalTexts.filter;

/** A usual range of dates; both days are included. */
export interface QuickRange {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

const two = (value: number): string => String(value).padStart(2, '0');
/** The date in the user's time zone. */
function dayOf(date: Date): string {
  const year = String(date.getFullYear()).padStart(4, '0');
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns usual ranges that end today, or with the current month or year. */
export function quickRanges(now: Date): QuickRange[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const today = dayOf(now);
  const last = (days: number): QuickRange => ({
    label: texts.lastDays(days),
    from: dayOf(new Date(year, month, day - days + 1)),
    to: today,
  });
  return [
    { label: texts.today, from: today, to: today },
    last(7),
    last(30),
    {
      label: texts.thisMonth,
      from: dayOf(new Date(year, month, 1)),
      to: dayOf(new Date(year, month + 1, 0)),
    },
    { label: texts.thisYear, from: `${year}-01-01`, to: `${year}-12-31` },
  ];
}
