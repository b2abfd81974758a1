import { textArea } from '../../../text/areas.ts';

/** Texts of charts and their settings, except those shared with other results. */
export const chartTexts = textArea('charts', {
  bins: 'Intervals at most',
  interval: (from: string, to: string) => `${from} to ${to}`,
  heat: {
    scale: (measure: string, low: string, high: string) =>
      `Colours show ${measure}, from ${low} (pale) to ${high} (strong).`,
  },
  box: {
    meaning:
      'Boxes contain the middle half of the values, with a line at the median. Whiskers end at ' +
      'the smallest and the largest value.',
    parts: {
      min: 'Smallest',
      q1: 'First quartile',
      median: 'Median',
      q3: 'Third quartile',
      max: 'Largest',
    },
  },
  funnel: {
    of: (step: string) => `Of ${step}`,
    total: (last: string, share: string, first: string) => `${last} is ${share} of ${first}.`,
  },
  gantt: {
    dates: 'From – to',
    duration: 'Duration',
    span: (start: string, end: string) => `${start} – ${end}`,
    needs: 'Choose keys: the tasks, and two columns of dates for their start and end.',
    undrawn: (count: number) =>
      `${count} ${count === 1 ? 'task' : 'tasks'} without a start or an end, or with an end ` +
      'before the start, can’t be drawn.',
  },
  map: {
    axes: { xAxis: 'Longitude', yAxis: 'Latitude', group: 'Colour', size: 'Size' },
    axisHints: {
      xAxis: 'Drop the column of longitudes here.',
      yAxis: 'Drop the column of latitudes here.',
      group: 'Drop the column that splits the points here.',
      size: 'Drop the column of the point size here.',
    },
    setAs: {
      xAxis: 'Use as longitude',
      yAxis: 'Use as latitude',
      group: 'Use as colour',
      size: 'Use as size',
    },
    noAxis: 'Choose a column of longitudes and one of latitudes in degrees under Fields.',
    noPlace: (count: string, one: boolean) =>
      `${count} ${one ? 'row has' : 'rows have'} no longitude from −180 to 180 with a latitude ` +
      'from −90 to 90, and cannot be drawn.',
    hint: 'Hold Ctrl and scroll to zoom, and drag to move, or use + and − and Shift with arrows.',
  },
  bigNumber: {
    none: 'No value',
    same: 'no change',
    change: (now: string, change: string, before: string, value: string) =>
      `${now}: ${change} compared with ${before} (${value})`,
    noBefore: (now: string, before: string) => `${now}; no value to compare with in ${before}`,
  },
  /** Orientation of the x axis labels. */
  xLabel: 'Labels',
  xLabels: { default: 'Default', rotate: 'Rotate', hide: 'Hide' },
  degree: 'Degrees',
  /** Stacked bars that show shares of a whole. */
  full: '100 %',
  style: 'Style',
  styles: { stack: 'Stack', stream: 'Stream', expand: 'Expand' },
  forceY: 'Start at zero',
  zoom: 'Zoom strip',
  zoomHint: 'Press plus or minus to zoom, and Shift with an arrow key to pan.',
  dateFormat: 'Date format',
  datePattern: 'Date pattern',
  axisSettings: {
    grain: 'Dates by',
    grains: {
      none: 'Automatic',
      day: 'Day',
      week: 'Week',
      month: 'Month',
      quarter: 'Quarter',
      year: 'Year',
    },
    sort: 'Order',
    sorts: {
      none: 'As in the table',
      largest: 'Largest first',
      smallest: 'Smallest first',
      name: 'By name',
    },
    xTitle: 'X title',
    yTitle: 'Y title',
    format: 'Numbers',
    formats: {
      auto: 'Automatic',
      full: '1,234,567',
      percent: 'Percent',
      currency: 'Currency',
      si: 'Short (1.2M)',
    },
    unit: 'Unit',
    currency: 'Currency code',
    line: 'Reference lines',
    lineHint: 'Target: 100; 50',
    title: 'Title',
    subtitle: 'Subtitle',
    legend: 'Legend',
    legends: { auto: 'Automatic', top: 'Above', right: 'Right', bottom: 'Below', none: 'None' },
    labels: 'Value labels',
    trend: 'Trend line',
    facets: 'A chart for each series',
    top: 'Largest categories',
    others: "Combine the others into 'Other'",
    auto: 'Automatic',
    colorOf: 'Colour of',
    color: (number: number) => `Colour ${number}`,
    log: 'Logarithmic',
    logRefused: 'A logarithmic axis needs values above zero, so the scale is linear.',
  },
  /** Groups of the settings of a chart. */
  panel: { label: 'Chart settings', data: 'Data', look: 'Look', axes: 'Axes' },
  /** How a value runs along the axis. */
  running: {
    label: 'Along the axis',
    none: 'Each value',
    totalChoice: 'Cumulative',
    meanChoice: (points: number) => `Moving average of ${points}`,
    total: (measure: string) => `cumulative ${measure}`,
    mean: (measure: string, points: string) => `${points}-point average of ${measure}`,
  },
  trendOf: (series: string, from: string, to: string, r2: string) =>
    `Trend of ${series}: from ${from} to ${to} (R² ${r2}).`,
  copyImage: 'Copy image',
  copyFailed: "The image could not be copied: this browser or page doesn't allow it.",
  png: 'PNG',
  svg: 'SVG',
  describe: 'Describe this chart',
  exportFailed: 'The chart could not be saved.',
  pictureFailed: 'This chart is too large to save as a picture.',
  legend: 'Series',
  missing: (columns: string, one: boolean) =>
    `${one ? 'Column' : 'Columns'} ${columns} from the saved settings ${one ? 'is' : 'are'} ` +
    'not in this table.',
  /** What a chart of a table on the server shows. `ways`: how its keys are grouped. */
  allRows: (count: string, ways: string) =>
    `Computed from all ${count} rows${ways === '' ? '' : `, ${ways}`}.`,
  byPeriod: (column: string, period: string) => `${column} by ${period}`,
  byInterval: (column: string, width: string) => `${column} in steps of ${width}`,
  omittedGroups: (count: string) => `${count} more groups are not in this chart.`,
  sample: (count: string, all: string) => `A random sample of ${count} of ${all} rows.`,
  moreSeries: (count: string) => `${count} more series are in the table view.`,
  morePoints: (count: string) => `${count} more points are in the table view.`,
  belowZero: (count: string, one: boolean) =>
    `${count} ${one ? 'value' : 'values'} below zero cannot be drawn.`,
  folded: {
    slices: (count: string) => `The ${count} smallest slices are combined into 'Other'.`,
    categories: (count: string, all: string) =>
      `${count} of ${all} categories are combined into 'Other'. The table view has all.`,
    cut: (value: string) =>
      "The bar of 'Other' is cut off so that the other bars can be compared. " +
      `Its value is ${value}.`,
    cutSeveral:
      "The bars of 'Other' are cut off so that the other bars can be compared. Point at them to " +
      'see their values.',
    left: (count: string, all: string) =>
      `${count} of ${all} categories are not in the chart. The table view has all.`,
    averages: (count: string, all: string) =>
      `${count} of ${all} categories are not in the chart, because their averages can't be ` +
      'combined. The table view has all.',
    groups: (count: string) => `The other ${count} groups are combined into one, in grey.`,
  },
  sharesOfDrawn: 'Percentages refer only to the values in the chart.',
  others: (count: string) => `${count} others`,
  other: (count: string) => `Other (${count})`,
  share: (value: string, share: string) => `${value} (${share})`,
  noPlace: (count: string, one: boolean) =>
    `${count} ${one ? 'row has' : 'rows have'} no value for an axis and cannot be drawn.`,
  /** Name of an aggregated column, on the axis and in the legend. */
  measure: (aggr: string, column: string) => `${aggr} of ${column}`,
  quarter: (quarter: number, year: number) => `Q${quarter} ${year}`,
  notes: {
    texts: (column: string) => `${column} is text: only texts that are numbers are drawn.`,
    noNumbers: (column: string) => `${column} has no numbers: choose count to draw it.`,
    notFinite: (count: string, one: boolean) =>
      `${count} ${one ? 'value is' : 'values are'} not a finite number and cannot be drawn.`,
    unplaced: (count: string, one: boolean, column: string) =>
      `${count} ${one ? 'row has' : 'rows have'} no place on the axis of ${column}.`,
    oneAxis: (large: string, small: string, ratio: string) =>
      `${large} and ${small} share one axis, although the first is up to ${ratio} times larger.`,
    unused: (columns: string) => `Not drawn: ${columns}. Add values under Fields.`,
  },
  noValue: 'no value',
  noAxis: 'Choose a column for x or y under Fields.',
  axes: { xAxis: 'X axis', yAxis: 'Y axis', group: 'Colour', size: 'Size' },
  axisHints: {
    xAxis: 'Drop the column of the x axis here.',
    yAxis: 'Drop the column of the y axis here.',
    group: 'Drop the column that splits the points here.',
    size: 'Drop the column of the point size here.',
  },
  setAs: {
    xAxis: 'Use as x axis',
    yAxis: 'Use as y axis',
    group: 'Use as colour',
    size: 'Use as size',
  },
  sizeInfo:
    'Size is used when every value of its column is a number and the axes are not all ' +
    'discrete. A column is discrete if it holds text, or if fewer than 5% of its values are ' +
    'distinct; then the size is the number of rows at each point.',
  sizeUnused: 'not used',
  scatterSummary: (kind: string, groups: string, points: string) =>
    `${kind}: ${groups}, ${points}.`,
});
