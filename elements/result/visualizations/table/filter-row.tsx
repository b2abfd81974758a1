import { memo } from 'react';
import { texts } from '../../../text/table.ts';
import { resultText } from '../../text.ts';
import type { ColumnView } from './columns.ts';
import { operatorsOf, takesTerm, type Filter, type Operator } from './filter.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';

interface FilterRowProps {
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  numberWidth: number;
  filters: ReadonlyMap<number, Filter>;
  onFilter: (column: number, filter: Filter) => void;
}

const start: Filter = { operator: 'contains', term: '' };

/** Under each header how its values are judged and by what; a row must pass all of them. */
export const FilterRow = memo(function FilterRow({
  columns,
  visible,
  numberWidth,
  filters,
  onFilter,
}: FilterRowProps) {
  return (
    <div role="row" aria-rowindex={2} className="grid-row filter">
      {numberWidth > 0 && (
        <div className="grid-number head" aria-hidden="true" style={{ width: numberWidth }} />
      )}
      {visible.map(({ index, start: left, size, pinned }) => {
        const column = columns[index]!;
        return (
          <div
            key={column.index}
            role="gridcell"
            aria-colindex={index + 1}
            className={pinned ? 'grid-cell filter pinned' : 'grid-cell filter'}
            style={cellStyle(left, size)}
          >
            <FilterFields
              column={column}
              filter={filters.get(column.index) ?? start}
              onFilter={onFilter}
            />
          </div>
        );
      })}
    </div>
  );
});

function FilterFields({
  column,
  filter,
  onFilter,
}: {
  column: ColumnView;
  filter: Filter;
  onFilter: FilterRowProps['onFilter'];
}) {
  const words = texts.grid;
  const choices = operatorsOf(column.kind === 'boolean', column.type);
  const operator: Operator = choices.includes(filter.operator) ? filter.operator : 'contains';
  const field = (name: string, value: string, change: (text: string) => Partial<Filter>) => (
    <input
      type="search"
      className="grid-filter"
      aria-label={name}
      placeholder={resultText.table.filter}
      value={value}
      onChange={(event) =>
        onFilter(column.index, { ...filter, operator, ...change(event.target.value) })
      }
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <span className="grid-filter-fields">
      <span className="grid-operator" data-operator={operator}>
        <span aria-hidden="true">{words.operatorSigns[operator]}</span>
        <select
          aria-label={words.howToFilter(column.name)}
          title={words.operators[operator]}
          value={operator}
          onChange={(event) =>
            onFilter(column.index, { ...filter, operator: event.target.value as Operator })
          }
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {words.operators[choice]}
            </option>
          ))}
        </select>
      </span>
      {takesTerm(operator) ? (
        field(resultText.table.filterOf(column.name), filter.term, (term) => ({ term }))
      ) : (
        <span className="grid-operator-word">{words.operators[operator]}</span>
      )}
      {operator === 'between' &&
        field(words.filterTo(column.name), filter.to ?? '', (to) => ({ to }))}
    </span>
  );
}
