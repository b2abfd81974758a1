import { parseTable, textRows } from '@tiding/client/model';
import { same } from '../../result/test-support.tsx';
import { firstChart } from './first-chart.ts';

/** Columns with name, type and number of different values; each has 100 rows. */
const summary = (...columns: readonly (readonly [string, string, number])[]) =>
  textRows(
    parseTable(
      `column\ttype\tdistinct\trows\n${columns
        .map((column) => `${column.join('\t')}\t100`)
        .join('\n')}\n`,
    ),
  );
const chart = (...columns: Parameters<typeof summary>) =>
  firstChart("from 'x'", summary(...columns));

describe('the first chart of a data file', () => {
  it('draws the first measure over time', () => {
    same(chart(['id', 'BIGINT', 100], ['day', 'DATE', 90], ['temp "C"', 'DOUBLE', 50]), {
      mode: 'lineChart',
      text:
        '%sql\nselect "day", avg("temp ""C""") as "avg of temp ""C""" from \'x\'\n' +
        'group by 1 order by 1\n',
    });
    same(
      chart(['ticket', 'BIGINT', 100], ['month', 'BIGINT', 12], ['day', 'DATE', 90])?.text,
      '%sql\nselect "day", count(*) as "rows" from \'x\'\ngroup by 1 order by 1\n',
      'a key and a part of a date are no measures',
    );
    same(
      chart(['t', 'TIMESTAMP', 5_000], ['v', 'DOUBLE', 50])?.text.includes('"t"::date as "t"'),
      true,
    );
  });

  it('draws the number of rows of each category otherwise', () => {
    same(chart(['name', 'VARCHAR', 98], ['kind', 'VARCHAR', 5], ['n', 'BIGINT', 9]), {
      mode: 'multiBarChart',
      text:
        '%sql\nselect "kind", count(*) as "rows" from \'x\'\n' +
        'group by "kind" order by "rows" desc\n',
    });
    const few = firstChart(
      "from 'x'",
      textRows(
        parseTable(
          'column\ttype\tdistinct\trows\ndate\tVARCHAR\t300\t1000\nkind\tVARCHAR\t5\t1000\n',
        ),
      ),
    );
    same(few?.text.includes('"kind"'), true, 'few categories');
  });

  it('is missing if no column suits', () => {
    same(chart(['name', 'VARCHAR', 98]), undefined, 'keys only');
    same(chart(['kind', 'VARCHAR', 1]), undefined, 'one value');
    same(chart(['a', 'BIGINT', 9]), undefined, 'numbers only');
    same(chart(['day', 'DATE', 1], ['n', 'BIGINT', 9]), undefined, 'one date');
    same(firstChart("from 'x'", textRows(parseTable('a\tb\n1\t2\n'))), undefined, 'another table');
  });
});
