import type { JsonObject } from '@tiding/client/protocol';

export interface Sample {
  path: string;
  paragraphs: { title?: string; text: string; config?: JsonObject }[];
}

/** A column of the result: its name and its position. */
type Column = readonly [name: string, index: number];

/** Shows the result as a bar chart of a value by a key, and by a group if one is given. */
export const barChart = (key: Column, value: Column, group?: Column, stacked?: boolean) => {
  const column = ([name, index]: Column) => ({ name, index, aggr: 'sum' });
  return {
    0: {
      graph: {
        mode: 'multiBarChart',
        height: 300,
        optionOpen: false,
        keys: [column(key)],
        groups: group ? [column(group)] : [],
        values: [column(value)],
        ...(stacked === undefined ? {} : { setting: { multiBarChart: { stacked } } }),
      },
    },
  };
};
