/** SQL that profiles the columns of a data file, whose names and types are not known yet. */

/** Distinct values are counted exactly in files of about as many cells; otherwise estimated. */
const MAX_EXACT_CELLS = 4_000_000;

// `columns(*)` stands for each column in turn, and `\0` for its name.
const EACH = 'columns(*)';
const IS_FLOAT = `typeof(${EACH}) in ('FLOAT', 'DOUBLE')`;
const NOT_FINITE = `${EACH}::varchar in ('nan', 'inf', '-inf')`;
const isPlain = `filter (not (${IS_FLOAT} and ${NOT_FINITE}))`;

/**
 * Returns a statement with a row for each column: its type, the share of missing values, and
 * statistics of the others. NaN and infinity are counted and left out of the statistics, which
 * `summarize` of the engine can't compute from them.
 *
 * @param source the SQL after `select …`
 * @param cells approximate number of cells; by default few
 */
export function profileSql(source: string, cells = 0): string {
  const distinct =
    cells <= MAX_EXACT_CELLS
      ? `'distinct': count(distinct ${EACH})`
      : `'distinct (about)': least(approx_count_distinct(${EACH}), count(${EACH}))`;
  return `with profiles as (
  select {
    'type': typeof(any_value(${EACH})),
    'rows': count(*),
    'null %': round(100 - 100 * count(${EACH}) / nullif(count(*), 0), 1),
    ${distinct},
    'min': (min(${EACH}) ${isPlain})::varchar,
    'max': (max(${EACH}) ${isPlain})::varchar,
    'mean': (avg(try_cast(${EACH}::varchar as double))
      filter (typeof(${EACH}) <> 'VARCHAR' and not ${NOT_FINITE}))::float,
    'NaN, infinity': count(*) filter (${IS_FLOAT} and ${NOT_FINITE})
  } as "\\0" ${source}
)
select "column", unnest(profile)
from (unpivot profiles on ${EACH} into name "column" value profile)`;
}
