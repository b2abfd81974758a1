/** A first chart of a data file, chosen by the profile of its columns. */
import { cellText, isLabelName, type TypedRows } from '@tiding/client/model';

/** A paragraph that draws a chart. */
interface FirstChart {
  readonly text: string;
  /** Id of the view of its result. */
  readonly mode: 'lineChart' | 'multiBarChart';
}

/** Columns with fewer different values than this share of the rows are categories. */
const MAX_CATEGORY_SHARE = 0.5;
/** Whole numbers with more different values than this share of the rows are a key. */
const MIN_KEY_SHARE = 0.95;
/** Categories that a chart can show; a column with more is used if there is no other. */
const MAX_BARS = 50;
/** With more points in time, days are drawn. */
const MAX_POINTS = 1_000;
const INTEGER = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/;
const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/;

interface Profile {
  readonly name: string;
  readonly type: string;
  /** Number of different values, estimated if there are many. */
  readonly distinct: number;
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
 * Returns a chart for a file: means of the first measure over time, or the number of rows over time
 * or of each category; `undefined` if none makes sense. The names of its columns say what they are.
 *
 * @param source the SQL after `select …`
 * @param profile the profile of its columns
 */
export function firstChart(source: string, profile: TypedRows): FirstChart | undefined {
  const profiles = profilesOf(profile);
  const date = profiles.find(
    ({ type, distinct }) => /^(DATE|TIMESTAMP)/.test(type) && distinct >= 2,
  );
  if (date) {
    const measure = profiles.find(
      ({ name, type, distinct, count }) =>
        NUMBER.test(type) &&
        !isLabelName(name) &&
        !(INTEGER.test(type) && distinct > count * MIN_KEY_SHARE),
    );
    const time = quoted(date.name);
    const shown = date.distinct > MAX_POINTS ? `${time}::date as ${time}` : time;
    const value = measure
      ? `avg(${quoted(measure.name)}) as ${quoted(`avg of ${measure.name}`)}`
      : 'count(*) as "rows"';
    return {
      mode: 'lineChart',
      text: `%sql\nselect ${shown}, ${value} ${source}\ngroup by 1 order by 1\n`,
    };
  }
  const categories = profiles.filter(
    ({ type, distinct, count }) =>
      type === 'VARCHAR' && distinct >= 2 && distinct <= count * MAX_CATEGORY_SHARE,
  );
  const category = categories.find(({ distinct }) => distinct <= MAX_BARS) ?? categories[0];
  if (!category) return undefined;
  const name = quoted(category.name);
  return {
    mode: 'multiBarChart',
    text:
      `%sql\nselect ${name}, count(*) as "rows" ${source}\n` +
      `group by ${name} order by "rows" desc\n`,
  };
}
