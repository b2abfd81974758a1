import { labelledEntries } from '@tiding/client/widgets';
import { numberFormat } from '../result/parts/numbers.ts';
import { Facts, TimeText } from './parts.tsx';
import { securityTexts as t } from './security/texts.ts';

const number = numberFormat({ maximumFractionDigits: 3 });
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:/;

/**
 * Displays an object with arbitrary fields as facts. `labels` names known fields; others use their
 * field names.
 */
export function ObjectFacts({
  of,
  labels,
}: {
  of: Readonly<Record<string, unknown>>;
  labels: Readonly<Record<string, string>>;
}) {
  return (
    <Facts
      of={labelledEntries(of).map(({ key, label, value }) => [
        Object.hasOwn(labels, key) ? labels[key]! : label,
        said(value),
      ])}
    />
  );
}

function said(value: string | number | boolean) {
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'number') return number.format(value);
  return isMoment.test(value) ? <TimeText at={value} /> : value;
}
