import { textArea } from '../text/areas.ts';
import { packageText } from './packages/texts.ts';
import { failureTexts } from './parts/texts.ts';

/** Screen texts of the result area. */
export const resultText = textArea('result', {
  ...failureTexts,
  packages: packageText,
  result: 'Result',
  loading: 'Loading result…',
  copy: 'Copy',
  copied: 'Copied!',
  copyFailed: 'Not supported browser',
  unknownType: (type: string) => `No view for output of type ${type}.`,
  explain: 'Explain this error',
  fix: 'Fix it',
  fullTrace: (lines: number) => `Full trace, ${lines} ${lines === 1 ? 'line' : 'lines'}`,

  text: {
    followOutput: 'Follow Output',
    scrollTop: 'Scroll Top',
    label: (title: string) => (title ? `${title}, text output` : 'Text output'),
    above: (lines: string) => `${lines} lines above`,
    showMore: 'Show more',
    download: 'Download text',
    longLine: (characters: string) => `… ${characters} more characters in this line`,
  },

  html: {
    diagram: 'Diagram',
    diagramError: (message: string) => `This diagram has an error: ${message}`,
    frame: (title: string) => (title ? `${title}, HTML output` : 'HTML output'),
    flooded:
      'This output was stopped: it sent too many messages. Run the paragraph again to show it.',
    left: 'This output was stopped: it tried to open another page in its frame.',
    silent:
      'This output cannot be shown: its frame did not load. The server may be unreachable, ' +
      'or the policy of this page may block its frames.',
    forged: 'A script in this output sent messages it is not allowed to send. They were ignored.',
    run: (name: string) =>
      `This output wants to run the paragraph ${name}. If you agree, outputs of this note ` +
      'can run paragraphs whenever you click in them.',
    runIt: 'Run',
    notNow: 'Not now',
    noFrame: 'HTML output cannot be shown: no output frame is configured.',
    open: (host: string) => `Open ${host} in a new tab?`,
    openLink: 'Open link',
    stay: 'Stay here',
    error: (message: string) => `A script in this output failed: ${message}`,
    blocked: (origins: readonly string[]) =>
      `This output loads from ${origins.join(' and ')}, which this server doesn't allow. ` +
      'An administrator can allow it with the option ' +
      `${origins.map((origin) => `--frame-source ${origin}`).join(' ')}.`,
  },

  resize: {
    height: 'Height of the result',
    size: 'Size of the result',
    high: (pixels: number) => `${pixels} pixels high`,
    wide: (columns: number, all: number) => `${columns} of ${all} columns wide`,
  },

  image: {
    tools: 'Picture',
    full: 'Full size',
    leaveFull: 'Exit full size',
    download: 'Download picture',
    alt: (title: string) => (title ? `${title}, picture` : 'Picture'),
    failed: 'This image cannot be shown.',
    ofNote: (alt: string, name: string) =>
      alt ? `${alt} (image ${name} cannot be loaded)` : `Image ${name} cannot be loaded`,
  },

  table: {
    view: 'View',
    further: 'More charts',
    filter: 'Filter',
    fields: 'Fields',
    download: 'Download CSV',
    downloadAs: 'Download as',
    fullScreen: 'Full screen',
    leaveFullScreen: 'Exit full screen',
    rows: (rows: string, one: boolean) => `${rows} ${one ? 'row' : 'rows'}`,
    columns: (columns: string, one: boolean) => `${columns} ${one ? 'column' : 'columns'}`,
    filtered: (shown: string, all: string) => `${shown} of ${all} rows`,
    grid: (title: string) => (title ? `${title}, table` : 'Table'),
    empty: 'No rows.',
    noMatch: 'No row matches the filter.',
    filterOf: (column: string) => `Filter ${column}`,
    null: 'null',
    types: { string: 'Text', number: 'Number', date: 'Date' },
    notPrinted: (rows: string) => `${rows} more rows are not printed.`,
    columnsNotPrinted: (columns: string) => `${columns} more columns are not printed.`,
  },

  views: {
    table: 'Table',
    multiBarChart: 'Bar Chart',
    pieChart: 'Pie Chart',
    stackedAreaChart: 'Area Chart',
    lineChart: 'Line Chart',
    scatterChart: 'Scatter Chart',
    histogram: 'Histogram',
    comboChart: 'Bars and Lines',
    heatMap: 'Heat Map',
    boxPlot: 'Box Plot',
    bigNumber: 'Big Number',
    funnel: 'Funnel',
    gantt: 'Gantt Chart',
    map: 'Map',
  },

  fields: {
    label: 'Chart fields',
    available: 'Available',
    keys: 'Keys',
    groups: 'Groups',
    values: 'Values',
    keysHint: 'Drop columns for the x axis here.',
    groupsHint: 'Drop columns that define series here.',
    valuesHint: 'Drop columns to draw here.',
    addTo: (column: string) => `Add ${column}`,
    addToKeys: 'Add to keys',
    addToGroups: 'Add to groups',
    addToValues: 'Add to values',
    remove: (column: string) => `Remove ${column}`,
    removeItem: 'Remove',
    value: (aggregation: string, column: string) => `${aggregation} of ${column}`,
    aggregation: 'Aggregation',
    added: (column: string, well: string) => `${column} added to ${well}.`,
    removed: (column: string, well: string) => `${column} removed from ${well}.`,
  },

  chart: {
    layout: 'Bars',
    grouped: 'Grouped',
    stacked: 'Stacked',
    noValues: 'Nothing to draw',
    noValuesHint: 'Choose at least one value under Fields.',
    noNumbers: 'This table has no column of numbers',
    noNumbersHint: 'To count rows, add a column to the values under Fields and choose “count”.',
    noRows: 'No rows to draw.',
    summary: (kind: string, series: string, points: string, range: string) =>
      `${kind}: ${series}, ${points}. ${range}`,
    seriesCount: (count: number) => `${count} series`,
    pointCount: (count: number) => `${count} ${count === 1 ? 'point' : 'points'}`,
    range: (low: string, high: string) => `Values from ${low} to ${high}.`,
    key: 'Key',
    data: (title: string) => (title ? `Chart data: ${title}` : 'Chart data'),
  },
});
