import { textArea } from '../areas.ts';

/** Texts of directed graphs (jobs and lineage); some are quoted from the specification. */
export const graphTexts = textArea('widgets.graph', {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit',
  navigation: 'Graph navigation',
  legend: 'Node types',
  keys:
    'Use the arrow keys to follow connections, Enter to select, and Escape to clear the ' +
    'selection.',
  outline: 'Nodes and their successors',
  leadsTo: '{name}, {kind}, leads to {others}',
  leadsNowhere: '{name}, {kind}, has no successors',
  moreNodes: '{n} more nodes are not in this list.',
  empty: 'There is nothing to show.',
  own: 'this object',
  lastRun: 'last run {run}',
  opens: 'press Enter to open',
  flowOf: 'Lineage graph: {nodes}, {edges}',
  missing: 'Connections to nodes that are not in this graph: {names}',
  notLaid: 'This graph could not be laid out.',
  /** Node types; unknown ones are displayed as they are. */
  kinds: {
    job: 'Job',
    task: 'Task',
    script: 'Script',
    nestedjob: 'Nested job',
    sqlmapper: 'SQL mapper',
    datasource: 'Data source',
    table: 'Table',
    stream: 'Stream',
    sink: 'Sink',
    unknown: 'Not described',
  } as Record<string, string>,
  lineage: 'Lineage',
  action: 'Action',
  by: 'By',
  when: 'When',
  state: 'State',
  job: 'Job',
  notMade: 'The origin of this object is unknown.',
  lineageSummary: 'Lineage: {action}{nodes}, {edges}.',
  dataSets: { one: '1 data set', many: '{n} data sets' },
  connections: { one: '1 connection', many: '{n} connections' },
  madeBy: '{action} by {user} at {time}. ',
});
