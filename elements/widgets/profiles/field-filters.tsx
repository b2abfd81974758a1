/** Filter row below the headers of a profile's fields. */

import type { NumberFilter, NumberOperator, ProfileFilter } from '@tiding/client/model';
import { Search } from 'lucide-react';
import { fill } from '../../text/fill.ts';
import { Icon } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/labelled.tsx';
import { profilesTexts as t } from './texts.ts';

interface TypedNumber {
  readonly operator: NumberOperator;
  readonly typed: string;
  readonly percent: boolean;
}
interface TypedFilters {
  readonly search: string;
  readonly fieldName: string;
  readonly inferredProfileType: string;
  readonly nullCount: TypedNumber;
  readonly distinctValueCount: TypedNumber;
}

const noNumber: TypedNumber = { operator: '>', typed: '', percent: false };
export const noFilters: TypedFilters = {
  search: '',
  fieldName: '',
  inferredProfileType: '',
  nullCount: noNumber,
  distinctValueCount: noNumber,
};

/** Parses a number, also `105,071` and `8.6 %`; NaN if it is none. */
function numberOf(typed: string): number {
  const plain = typed.trim().replace(/\s*%$/, '');
  return plain === ''
    ? Number.NaN
    : Number(/^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain) ? plain.replaceAll(',', '') : plain);
}
const filterOf = ({ operator, typed, percent }: TypedNumber): NumberFilter => ({
  operator,
  value: numberOf(typed),
  percent,
});

/** Converts the typed filters for the model; text that is not a number filters nothing. */
export const filterOfTyped = ({
  nullCount,
  distinctValueCount,
  ...texts
}: TypedFilters): ProfileFilter => ({
  ...texts,
  nullCount: filterOf(nullCount),
  distinctValueCount: filterOf(distinctValueCount),
});

interface NumberFieldProps {
  column: string;
  value: TypedNumber;
  onChange: (change: Partial<TypedNumber>) => void;
}

function NumberField({ column, value, onChange }: NumberFieldProps) {
  const wrong = value.typed.trim() !== '' && !Number.isFinite(numberOf(value.typed));
  const label = (template: string) => fill(template, { column });
  const kind = wrong ? 'input error' : value.typed.trim() === '' ? 'input' : 'input is-set';
  return (
    <span className="number-filter">
      <Choice
        aria-label={label(t.operator)}
        value={value.operator}
        options={['=', '<', '>']}
        onValue={(operator) => onChange({ operator: operator as NumberOperator })}
      />
      <label className={kind}>
        <input
          inputMode="decimal"
          placeholder={t.any}
          aria-label={label(t.amount)}
          aria-invalid={wrong || undefined}
          autoComplete="off"
          value={value.typed}
          onChange={({ target }) => onChange({ typed: target.value })}
        />
      </label>
      <button
        type="button"
        className="button ghost icon-only"
        aria-pressed={value.percent}
        aria-label={label(t.percent)}
        title={label(t.percent)}
        onClick={() => onChange({ percent: !value.percent })}
      >
        %
      </button>
    </span>
  );
}

interface FilterRowProps {
  filters: TypedFilters;
  onFilters: (change: (before: TypedFilters) => TypedFilters) => void;
  types: readonly string[];
  shown: number;
  all: number;
}

/** One cell for each column of the table. */
export function FilterRow({ filters, onFilters, types, shown, all }: FilterRowProps) {
  // Keep the selected type in the list even if new data no longer has it.
  const choices =
    filters.inferredProfileType === '' || types.includes(filters.inferredProfileType)
      ? types
      : [...types, filters.inferredProfileType];
  const set = (key: 'fieldName' | 'inferredProfileType') => (value: string) =>
    onFilters((before) => ({ ...before, [key]: value }));
  const change = (key: 'nullCount' | 'distinctValueCount') => (part: Partial<TypedNumber>) =>
    onFilters((before) => ({ ...before, [key]: { ...before[key], ...part } }));
  const kind = (value: string) => (value.trim() === '' ? 'input' : 'input is-set');
  return (
    <tr role="row" className="filters" aria-label={t.filters}>
      <td role="cell" className="wide-filter">
        <label className={kind(filters.fieldName)}>
          <Icon of={Search} size="sm" />
          <input
            type="search"
            placeholder={t.nameContains}
            aria-label={t.nameContains}
            autoComplete="off"
            spellCheck={false}
            value={filters.fieldName}
            onChange={({ target }) => set('fieldName')(target.value)}
          />
        </label>
      </td>
      <td role="cell">
        <Choice
          className={filters.inferredProfileType === '' ? 'select' : 'select is-set'}
          aria-label={t.typeFilter}
          value={filters.inferredProfileType}
          options={[['', t.allTypes], ...choices]}
          onValue={set('inferredProfileType')}
        />
      </td>
      <td role="cell">
        <NumberField column={t.nulls} value={filters.nullCount} onChange={change('nullCount')} />
      </td>
      <td role="cell">
        <NumberField
          column={t.distinct}
          value={filters.distinctValueCount}
          onChange={change('distinctValueCount')}
        />
      </td>
      <td role="cell" className="dim">
        <span aria-live="polite">{fill(t.shown, { shown, all })}</span>
      </td>
    </tr>
  );
}
