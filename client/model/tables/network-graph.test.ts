import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeText, parseNetwork } from './network-graph.ts';

const team = JSON.stringify({
  nodes: [
    { id: 1, label: 'User', data: { name: 'A' } },
    { id: 2, label: 'Project', data: { stars: 3, name: null } },
  ],
  edges: [
    { id: 1, source: 2, target: 1, label: 'HELPS', data: { role: 'PM' } },
    { id: 2, source: 2, target: 1 },
  ],
  labels: { User: '#8BC34A', Project: '#3071A9' },
  types: ['HELPS'],
  directed: true,
});

describe('as a table', () => {
  test('parses the expected values', () => {
    const { columns, rows, comment } = parseNetwork(team);
    expect(columns).toEqual(
      ['id', 'label', 'name', 'stars', 'role'].map((name, index) => ({ name, index, aggr: 'sum' })),
    );
    expect(rows).toEqual([
      [1, 'User', 'A', '', ''],
      [2, 'Project', '', 3, ''],
      [1, 'HELPS', '', '', 'PM'],
      [2, '', '', '', ''],
    ]);
    expect(comment).toBe('');
  });

  test('has only ids without labels, types and label', () => {
    expect(parseNetwork('{"nodes":[{"id":"a"}],"edges":[]}')).toMatchObject({
      columns: [{ name: 'id' }],
      rows: [['a']],
    });
  });

  test.each([
    [{ labels: { A: '#f00' } }, ['id', 'label']],
    [{ types: ['knows'] }, ['id', 'label']],
    [{ edges: [{ source: 1, target: 1, label: 'x' }] }, ['id', 'label']],
    [{ edges: [{ source: 1, target: 1 }] }, ['id']],
  ])('has a label column if there are labels, types or any label: %j', (more, names) => {
    expect(
      parseNetwork(JSON.stringify({ nodes: [{ id: 1 }], ...more })).columns.map(({ name }) => name),
    ).toEqual(names);
  });

  test('never has columns for drawing fields, and converts nested values to text', () => {
    const text = JSON.stringify({
      nodes: [{ id: 1, data: { count: 1, size: 2, x: 3, source: 4, on: true, tags: ['p', 'q'] } }],
    });
    const { columns, rows } = parseNetwork(text);
    expect(columns.map(({ name }) => name)).toEqual(['id', 'on', 'tags']);
    expect(rows).toEqual([[1, 'true', '["p","q"]']]);
  });
});

describe('as a graph', () => {
  test('has nodes, parallel edges and headers', () => {
    const { graph, networkNodes, networkRelationships } = parseNetwork(team);
    expect(graph.directed).toBe(true);
    expect(graph.nodes.map(({ id, label }) => [id, label])).toEqual([
      ['1', 'User'],
      ['2', 'Project'],
    ]);
    expect(graph.edges.map(({ id, count, totalCount }) => [id, count, totalCount])).toEqual([
      ['1', 1, 2],
      ['2', 2, 2],
    ]);
    expect(networkNodes).toEqual({ count: 2, labels: { User: '#8BC34A', Project: '#3071A9' } });
    expect(networkRelationships).toEqual({ count: 2, types: ['HELPS'] });
  });

  test('sorts edges by source and target, as text', () => {
    const nodes = ['a', 'b', 'c'].map((id) => ({ id }));
    const edges = [
      ['c', 'a'],
      ['a', 'c'],
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'b'],
    ].map(([source, target]) => ({ source, target }));
    const { graph } = parseNetwork(JSON.stringify({ nodes, edges }));
    expect(
      graph.edges.map(
        ({ source, target, count, totalCount }) => `${source}${target}${count}/${totalCount}`,
      ),
    ).toEqual(['ab1/2', 'ab2/2', 'ac1/1', 'ba1/1', 'ca1/1']);
  });

  test('lists an edge to a missing node without drawing it', () => {
    const network = parseNetwork('{"nodes":[{"id":1}],"edges":[{"id":9,"source":1,"target":2}]}');
    expect(network.graph.edges).toEqual([]);
    expect(network.rows).toEqual([[1], [9]]);
    expect([network.networkNodes, network.networkRelationships]).toEqual([null, null]);
  });

  test('numbers parallel edges', () => {
    const end = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.record({ source: end, target: end })), (edges) => {
        const { graph } = parseNetwork(
          JSON.stringify({ nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], edges }),
        );
        const counts = new Map<string, number[]>();
        for (const { source, target, count, totalCount } of graph.edges) {
          const list = counts.get(source + target) ?? [];
          counts.set(source + target, [...list, count]);
          expect(totalCount).toBe(
            edges.filter((edge) => edge.source === source && edge.target === target).length,
          );
        }
        for (const list of counts.values()) expect(list).toEqual(list.map((_, index) => index + 1));
      }),
    );
  });
});

test.each(['', '  \n', '{}', '[]', 'null', '{"nodes":null,"edges":[{"id":1}]}'])(
  '%j is an empty network',
  (text) => {
    const network = parseNetwork(text);
    expect(network).toMatchObject({
      rows: [],
      graph: { nodes: [], edges: [] },
      networkNodes: null,
      networkRelationships: null,
    });
    expect(network.columns.map(({ name }) => name)).toEqual(['id']);
  },
);

test('text that is not JSON is an error', () => {
  expect(() => parseNetwork('{"nodes":')).toThrow(SyntaxError);
});

test('the text at a node is the chosen field', () => {
  const [user, project] = parseNetwork(team).graph.nodes;
  expect([
    nodeText(user!),
    nodeText(user!, 'id'),
    nodeText(user!, 'name'),
    nodeText(user!, 'stars'),
  ]).toEqual(['User', '1', 'A', '']);
  expect([nodeText(project!, 'stars'), nodeText(project!, 'name')]).toEqual(['3', '']);
});
