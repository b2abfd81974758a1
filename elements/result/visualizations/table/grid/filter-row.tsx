import { memo } from 'react';
import {
  type ColumnFilter,
  type FilterOperator,
  needsTerm,
  operatorsOf,
} from '../../../rows/arrangement.ts';
import { resultText } from '../../../texts.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';

interface FilterRowProps {
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  numberWidth: number;
  filters: ReadonlyMap<number, ColumnFilter>;
  onFilter: (column: number, filter: ColumnFilter) => void;
}

const start: ColumnFilter = { operator: 'contains', term: '' };

/** Row of filter fields below the headers. A table row is shown if it passes every filter. */
export const GridFilterRow = memo(function FilterRow({
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
  filter: ColumnFilter;
  onFilter: FilterRowProps['onFilter'];
}) {
  const choices = operatorsOf(column.kind === 'boolean', column.type);
  const operator: FilterOperator = choices.includes(filter.operator) ? filter.operator : 'contains';
  const field = (name: string, value: string, change: (text: string) => Partial<ColumnFilter>) => (
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
    <span className="grid-filter-fields in-row">
      <span className="grid-operator" data-operator={operator}>
        <span aria-hidden="true">{gridTexts.operatorSigns[operator]}</span>
        <select
          aria-label={gridTexts.howToFilter(column.name)}
          title={gridTexts.operators[operator]}
          value={operator}
          onChange={(event) =>
            onFilter(column.index, { ...filter, operator: event.target.value as FilterOperator })
          }
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {gridTexts.operators[choice]}
            </option>
          ))}
        </select>
      </span>
      {needsTerm(operator) ? (
        field(resultText.table.filterOf(column.name), filter.term, (term) => ({ term }))
      ) : (
        <span className="grid-operator-word truncate">{gridTexts.operators[operator]}</span>
      )}
      {operator === 'between' &&
        field(gridTexts.filterTo(column.name), filter.to ?? '', (to) => ({ to }))}
    </span>
  );
}
