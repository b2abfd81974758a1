import { bagEntries } from 'tiding/widgets';
import { text } from '../text/en.ts';
import { Facts, When } from './parts.tsx';

const t = text.widgets.security;
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:/;

/** An object of any fields as facts. `labels`: what known fields are called; others are told by their own names. */
export function BagFacts({
  of,
  labels,
}: {
  of: Readonly<Record<string, unknown>>;
  labels: Readonly<Record<string, string>>;
}) {
  return (
    <Facts
      of={bagEntries(of).map(({ key, words, value }) => [
        Object.hasOwn(labels, key) ? labels[key]! : words,
        said(value),
      ])}
    />
  );
}

function said(value: string | number | boolean) {
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'number') return number.format(value);
  return isMoment.test(value) ? <When at={value} /> : value;
}
