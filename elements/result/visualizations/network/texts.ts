import { textArea } from '../../../text/areas.ts';

const counted = (count: string, one: boolean, single: string, plural: string): string =>
  `${count} ${one ? single : plural}`;

/** Texts of the network view; some are quoted from the specification. */
export const networkTexts = textArea('network', {
  view: 'Network',
  settings: 'Settings',
  nodes: 'Nodes',
  relationships: 'Relationships',
  empty: 'No nodes to draw.',
  emptyHint: 'A network is a JSON object with a list of nodes.',
  summary: (nodes: string, oneNode: boolean, edges: string, oneEdge: boolean) =>
    `${counted(nodes, oneNode, 'node', 'nodes')} · ` +
    `${counted(edges, oneEdge, 'relationship', 'relationships')}`,
  label: (title: string, summary: string) =>
    `${title ? `${title}, network` : 'Network'}: ${summary}`,
  hint:
    'Hold Ctrl and scroll to zoom, or click here first. Drag to pan. Use the arrow keys to ' +
    'follow relationships, Enter to show the data, and +, − and 0 to zoom.',
  hintTouch: 'Pinch to zoom. Tap a node to see its data.',
  role: 'network',
  layingOut: 'Laying out the network…',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  picture: 'Download picture (PNG)',
  outline: 'Nodes and their relationships',
  relatedTo: (name: string, others: string) => `${name}: related to ${others}`,
  alone: (name: string) => `${name}: not related to any node`,
  moreNodes: (count: string) => `${count} more nodes are in the table view.`,
  moreOthers: (count: string) => `${count} more`,
  at: (name: string, label: string, neighbours: string) =>
    `${label ? `${name}, ${label}` : name}. ${neighbours}`,
  neighbours: (count: string, one: boolean) => counted(count, one, 'neighbour', 'neighbours'),
  chosen: 'Selected in the network',
  node: 'Node',
  relationship: 'Relationship',
  id: 'ID',
  from: 'From',
  to: 'To',
  noData: 'No other data.',
  close: 'Close',
  forceLayout: 'Force Layout settings',
  timeout: 'Stop Force layout after (ms)',
  charge: 'Charge',
  linkDistance: 'Link Distance',
  globals: 'Globals',
  minScale: 'Minimum scale to show node and edge labels',
  chooseLabels: 'Choose node labels',
  noLabels: 'No labels to set',
  save: 'Save configuration',
  notNumber: 'Enter a number.',
  tooSmall: (least: string) => `At least ${least}.`,
  notJson: (line: string, column: string) =>
    `This network is not valid JSON: line ${line}, column ${column}:`,
  noObject: 'This network cannot be drawn: it must be a JSON object with a list "nodes".',
  noList: (name: string) => `This network cannot be drawn: "${name}" must be a list.`,
  noEntity: (place: string) => `${place} is not an object and was skipped.`,
  noId: (place: string) => `${place} has no id.`,
  sameId: (place: string, id: string, first: string) => `${place} has the id "${id}" of ${first}.`,
  noEnd: (place: string, end: string) => `${place} has no ${end} and is not drawn.`,
  unknownEnd: (place: string, end: string, id: string) =>
    `${place} is not drawn: there is no node "${id}" for its ${end}.`,
  moreFaults: (count: string) => `${count} more problems of this kind.`,
});
