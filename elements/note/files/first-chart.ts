/** A first chart of a data file, chosen by the profile of its columns. */
import { cellText, type TypedRows } from '@tiding/client/model';

/** A paragraph that draws a chart. */
export interface FirstChart {
  readonly text: string;
  /** Id of the view of its result. */
  readonly mode: 'lineChart' | 'multiBarChart';
}

/** Columns with fewer different values than this share of the rows are categories. */
const MAX_CATEGORY_SHARE = 0.5;
const MAX_BARS = 20;
/** With more points in time, means of days are drawn. */
const MAX_POINTS = 1_000;

interface Profile {
  readonly name: string;
  readonly type: string;
  /** Number of different values, estimated if there are many. */
  readonly distinct: number;
  /** Number of rows. */
  readonly count: number;
}

/** Reads the profile of a file; empty if it is another table. */
function profilesOf(rows: TypedRows): Profile[] {
  const at = (...names: string[]) => rows.columns.find(({ name }) => names.includes(name))?.index;
  const [name, type, distinct, count] = [
    at('column'),
    at('type'),
    at('distinct', 'distinct (about)'),
    at('rows'),
  ];
  if (name === undefined || type === undefined || distinct === undefined || count === undefined)
    return [];
  return Array.from({ length: rows.length }, (_, row) => ({
    name: cellText(rows, row, name),
    type: cellText(rows, row, type),
    distinct: Number(rows.value(row, distinct)),
    count: Number(rows.value(row, count)),
  }));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Returns a chart for a file: means of the first measure over time, or the number of rows of each
 * category; `undefined` if neither makes sense.
 *
 * @param source the SQL after `select …`
 * @param profile the profile of its columns
 */
export function firstChart(source: string, profile: TypedRows): FirstChart | undefined {
  const profiles = profilesOf(profile);
  const isRepeated = ({ distinct, count }: Profile): boolean =>
    distinct >= 2 && distinct <= count * MAX_CATEGORY_SHARE;
  const date = profiles.find(
    ({ type, distinct }) => /^(DATE|TIMESTAMP)/.test(type) && distinct >= 2,
  );
  const measure = profiles.find(
    ({ name, type }) =>
      /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL)/.test(type) &&
      !/(^|[^a-z])id$/i.test(name),
  );
  if (date && measure) {
    const [time, value] = [quoted(date.name), quoted(measure.name)];
    const shown = date.distinct > MAX_POINTS ? `${time}::date as ${time}` : time;
    return {
      mode: 'lineChart',
      text: `%sql\nselect ${shown}, avg(${value}) as ${value} ${source}\ngroup by 1 order by 1\n`,
    };
  }
  const category = profiles.find((each) => each.type === 'VARCHAR' && isRepeated(each));
  if (!category) return undefined;
  const name = quoted(category.name);
  return {
    mode: 'multiBarChart',
    text:
      `%sql\nselect ${name}, count(*) as "rows" ${source}\n` +
      `group by ${name} order by "rows" desc limit ${MAX_BARS}\n`,
  };
}
