import type { ElementSpec, EventSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

const fields = (what: string) =>
  ({
    kind: 'string',
    valueType: 'ChartColumns',
    doc: `${what}: names of columns with commas between them, or a list of names.`,
  }) as const;
const script = 'Can also be given as a child <script type="application/json">.';
const events: readonly EventSpec[] = [
  {
    name: 'tiding-select',
    doc:
      'The user selected something; detail {output, values, label?}. `values` is keyed by ' +
      'column, and empty when the selection is cleared.',
  },
  {
    name: 'tiding-error',
    doc:
      "The data or a setting can't be used; detail {message, code}. Call preventDefault() to " +
      'suppress the message.',
  },
  { name: 'tiding-painted', doc: 'The data is on the screen; the detail is empty.' },
];

/** `<tiding-output>`: outputs from the page's own data. */
export const outputElement: ElementSpec = {
  tag: 'tiding-output',
  doc:
    "Shows the page's own data, without a server: rows as a table or chart, and outputs and " +
    'notebooks of Jupyter and Zeppelin.',
  view: lazyView(async () => {
    const { OutputView, sheets } = await import('./output-view.tsx');
    return { default: OutputView, sheets };
  }),
  properties: {
    data: {
      kind: 'json',
      valueType: 'OutputData',
      doc:
        'Rows, columns, Arrow bytes, a MIME bundle, an output, cell or notebook of Jupyter, or ' +
        `an output or results of Zeppelin. ${script}`,
    },
    config: {
      kind: 'json',
      valueType: 'OutputConfig',
      doc:
        'View settings: {mode, keys, groups, values, height, setting}, or {results} as a ' +
        'paragraph stores them. Changes by the user stay on the page.',
    },
    bare: { kind: 'boolean', doc: 'Shows only the data, without toolbars.' },
    trusted: {
      kind: 'boolean',
      doc:
        'Runs the scripts of HTML outputs, in a sandboxed frame of `server`. Without a server, ' +
        'HTML is sanitized and shown in the page.',
    },
  },
  events,
};

/** `<tiding-chart>`: a chart of the page's own rows. */
export const chartElement: ElementSpec = {
  tag: 'tiding-chart',
  doc: "Draws a chart of the page's own rows, without a server.",
  view: lazyView(async () => {
    const { ChartView, sheets } = await import('./output-view.tsx');
    return { default: ChartView, sheets };
  }),
  properties: {
    data: {
      kind: 'json',
      valueType: 'RowData',
      doc: `Rows, columns or Arrow bytes. ${script}`,
    },
    type: {
      kind: 'string',
      doc:
        'Kind of chart: multiBarChart (the default), lineChart, stackedAreaChart, pieChart, ' +
        'scatterChart, histogram, comboChart, heatMap, boxPlot, bigNumber, funnel, gantt, map, ' +
        'or the id of a registered visualization.',
    },
    keys: fields('Columns of the x axis'),
    groups: fields('Columns that split the data into series'),
    values: fields('Columns to draw, with an aggregation such as avg(price)'),
    height: { kind: 'number', doc: 'Height in px. Default: 300.' },
  },
  events,
};
