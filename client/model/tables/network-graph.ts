import type { JsonObject } from '../../protocol/define.ts';
import { isJsonObject, jsonObjectOf } from '../json-object.ts';
import { type Cell, type TableData, toColumns } from './table.ts';

/** A node of a network. */
export interface NetworkNode {
  /** Unique among the nodes. Numbers are converted to strings. */
  readonly id: string;
  /** Label of the node: key of its color in `labels`. */
  readonly label: string | undefined;
  /** All fields except `id` and `label`, unchanged. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An edge of a network. Parallel edges are numbered from 1 to `totalCount`: a single edge is drawn
 * straight, several as arcs.
 */
export interface NetworkEdge {
  /** Id as a string, if it has one. */
  readonly id: string | undefined;
  /** Id of the node at which the edge starts. */
  readonly source: string;
  /** Id of the node at which the edge ends. */
  readonly target: string;
  /** Label as a string, if it has one. */
  readonly label: string | undefined;
  /** Further fields, unchanged. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Number of this edge among those with the same source and target, starting at 1. */
  readonly count: number;
  /** Number of edges with the same source and target. */
  readonly totalCount: number;
}

/** The graph to draw. */
export interface NetworkGraph {
  /** All nodes. */
  readonly nodes: readonly NetworkNode[];
  /** Edges between existing nodes, sorted by source and target. The table contains all edges. */
  readonly edges: readonly NetworkEdge[];
  /** Color of each label; `undefined` if the network has no labels. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Types of edges; `undefined` if the network names none. */
  readonly types: readonly string[] | undefined;
  /** Whether edges have arrows. Default: false (as in Zeppelin 0.8.2). */
  readonly directed: boolean;
}

/** A network: a graph, and a table whose rows are the nodes followed by the edges. */
export interface NetworkData extends TableData {
  /** Nodes and edges to draw. */
  readonly graph: NetworkGraph;
  /** Content of the header "Nodes"; `null` if the network has no labels. */
  readonly networkNodes: {
    readonly count: number;
    readonly labels: Readonly<Record<string, string>>;
  } | null;
  /** Content of the header "Relationships"; `null` if the network has no types. */
  readonly networkRelationships: {
    readonly count: number;
    readonly types: readonly string[];
  } | null;
}

const NEVER_COLUMNS = new Set('count size totalCount data x y labels source target'.split(' '));

const jsonObjects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
const maybeText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : asText(value);

function own(entity: JsonObject, name: string): unknown {
  if (Object.hasOwn(entity, name)) return entity[name];
  const data = jsonObjectOf(entity.data);
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

function toCellValue(value: unknown): Cell {
  if (value === undefined || value === null) return '';
  return typeof value === 'number' ? value : asText(value);
}

function toTable(entities: readonly JsonObject[], withLabel: boolean): TableData {
  const names = new Set(withLabel ? ['id', 'label'] : ['id']);
  for (const entity of entities)
    for (const name of Object.keys(jsonObjectOf(entity.data)))
      if (!NEVER_COLUMNS.has(name)) names.add(name);
  const columns = toColumns([...names]);
  const rows = entities.map((entity) => columns.map(({ name }) => toCellValue(own(entity, name))));
  return { columns, rows, comment: '' };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function toEdges(edges: readonly JsonObject[], ids: ReadonlySet<string>): NetworkEdge[] {
  const pairOf = (edge: JsonObject): string =>
    JSON.stringify([asText(edge.source), asText(edge.target)]);
  const drawn = edges.filter(
    (edge) => ids.has(asText(edge.source)) && ids.has(asText(edge.target)),
  );
  const totals = new Map<string, number>();
  for (const edge of drawn) totals.set(pairOf(edge), (totals.get(pairOf(edge)) ?? 0) + 1);
  const seen = new Map<string, number>();
  return drawn.map((edge) => {
    const pair = pairOf(edge);
    const count = (seen.get(pair) ?? 0) + 1;
    seen.set(pair, count);
    return {
      id: maybeText(edge.id),
      source: asText(edge.source),
      target: asText(edge.target),
      label: maybeText(edge.label),
      data: jsonObjectOf(edge.data),
      count,
      totalCount: totals.get(pair) ?? 1,
    };
  });
}

/**
 * Parses a network: `{nodes: [{id, label?, data?}], edges: [{id?, source, target, label?, data?}],
 * labels?, types?, directed?}` (as in Zeppelin 0.8.2). Blank text and JSON without nodes give an
 * empty network.
 *
 * The table's columns are `id`, then `label` if there are labels, types or any label, then the data
 * fields in order of first use. Edges are sorted by source and target, compared as text; Zeppelin
 * compares them as numbers, although ids need not be numbers.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseNetwork(text: string): NetworkData {
  const parsed: unknown = text.trim() === '' ? undefined : JSON.parse(text);
  const source = isJsonObject(parsed) && Array.isArray(parsed.nodes) ? parsed : {};
  const nodes = jsonObjects(source.nodes);
  const edges = jsonObjects(source.edges).sort(
    (a, b) =>
      byText(asText(a.source), asText(b.source)) || byText(asText(a.target), asText(b.target)),
  );
  const labels = isJsonObject(source.labels)
    ? Object.fromEntries(
        Object.entries(source.labels).map(([label, color]) => [label, asText(color)]),
      )
    : undefined;
  const types = Array.isArray(source.types) ? source.types.map(asText) : undefined;
  const entities = [...nodes, ...edges];
  const withLabel =
    labels !== undefined ||
    types !== undefined ||
    entities.some((entity) => Object.hasOwn(entity, 'label'));
  const graph: NetworkGraph = {
    nodes: nodes.map((node) => ({
      id: asText(node.id),
      label: maybeText(node.label),
      data: jsonObjectOf(node.data),
    })),
    edges: toEdges(edges, new Set(nodes.map((node) => asText(node.id)))),
    labels,
    types,
    directed: source.directed === true,
  };
  return {
    ...toTable(entities, withLabel),
    graph,
    networkNodes: labels ? { count: nodes.length, labels } : null,
    networkRelationships: types ? { count: edges.length, types } : null,
  };
}

/**
 * Returns the text drawn at a node: the chosen field of its data, or else the node's own `id` or
 * `label`, or else nothing (as in Zeppelin 0.8.2).
 */
export function nodeText(node: NetworkNode, field = 'label'): string {
  if (Object.hasOwn(node.data, field)) return maybeText(node.data[field]) ?? '';
  return field === 'id' ? node.id : field === 'label' ? (node.label ?? '') : '';
}
