import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import jobGraph from '../../test/fixtures/widgets/job-graph.json';
import {
  FIXED_FROM_EDGES,
  type JobGraphData,
  jobFlow,
  jobOf,
  kindOf,
  lineageFlow,
  rootJob,
  tasksOf,
} from './flow.ts';
import { widgetSchemas } from './schemas.ts';
import { LAYER_DISTANCE, layout } from './shared/layered-layout.ts';
import { repairPayload } from './shared/repair.ts';

const read = (payload: unknown): JobGraphData =>
  repairPayload(widgetSchemas['job-graph'], payload).data;
const arrows = ({ edges }: { edges: readonly { source: string; target: string }[] }): string[] =>
  edges.map(({ source, target }) => `${source} > ${target}`);
const task = (name: string, more: object = {}) => ({
  id: `p.j.${name}`,
  projectName: 'p',
  jobName: 'j',
  nodeType: 'Script',
  task: { name, successors: [], ...more },
});

describe('a job graph', () => {
  it('contains the nodes of a job; explicit edges before those of tasks [O12]', () => {
    const data = read(jobGraph);
    expect(rootJob(data)).toBe('flights.daily_load');
    const flow = jobFlow(data, 'flights.daily_load');
    expect(flow.nodes.map(({ label, kind, about, opens }) => [label, kind, about, opens])).toEqual([
      ['daily_load', 'job', 'flights', undefined],
      ['fetch', 'script', 'Python', undefined],
      ['build', 'sqlmapper', undefined, undefined],
      ['publish', 'nestedjob', 'flights.publish', 'flights.publish'],
    ]);
    expect(arrows(flow)).toEqual([
      'flights.daily_load > flights.daily_load.fetch',
      'flights.daily_load.fetch > flights.daily_load.build',
      'flights.daily_load.build > flights.daily_load.publish',
    ]);
    expect(flow.missing).toEqual([]);
    expect(arrows(jobFlow(data, 'flights.publish'))).toEqual([
      'flights.publish > flights.publish.copy',
    ]);
  });

  it('prefers explicit edges to those derived from tasks, per target node', () => {
    const nodes = [
      task('a', { successors: ['b'] }),
      task('b', { predecessor: 'a' }),
      task('c', { predecessor: 'b' }),
    ];
    expect(
      arrows(jobFlow({ nodes, edges: [{ source: 'p.j.a', target: 'p.j.c' }] }, 'p.j')),
    ).toEqual(['p.j.a > p.j.c', 'p.j.a > p.j.b']);
    expect(arrows(jobFlow({ nodes, edges: [] }, 'p.j'))).toEqual([
      'p.j.a > p.j.b',
      'p.j.b > p.j.c',
    ]);
  });

  it('accepts successors as names and as objects, cycles and self-references [O12]', () => {
    const nodes = [
      task('a', { successors: [{ name: 'b' }, 'a'] }),
      task('b', { successors: ['a'] }),
    ];
    expect(arrows(jobFlow({ nodes }, 'p.j'))).toEqual([
      'p.j.a > p.j.b',
      'p.j.a > p.j.a',
      'p.j.b > p.j.a',
    ]);
  });

  it('lists missing nodes that edges refer to; nodes of other jobs are not missing [O13]', () => {
    const nodes = [
      task('a', { successors: ['gone'] }),
      { id: 'p.k', projectName: 'p', jobName: 'k', objectType: 'Job' },
    ];
    const flow = jobFlow(
      {
        nodes,
        edges: [
          { source: 'p.j.a', target: 'p.k' },
          { source: 'x', target: 'y' },
        ],
      },
      'p.j',
    );
    expect(flow.missing).toEqual(['x', 'y', 'gone']);
    expect(flow.edges).toEqual([]);
  });

  it('keeps the last run of a node, or its state alone', () => {
    const lastRun = { state: 'Failed', startTime: '2024-05-02T10:00:00Z' };
    expect(
      jobFlow(
        {
          nodes: [
            { ...task('a', {}), lastRun },
            { ...task('b', {}), state: 'Running' },
          ],
        },
        'p.j',
      ).nodes.map((node) => node.lastRun),
    ).toEqual([lastRun, { state: 'Running' }]);
  });

  it('does not open jobs that are not in the payload, nor itself [O9]', () => {
    const nested = (jobName: string) => task(jobName, { nestedJobReference: { jobName } });
    expect(
      jobFlow({ nodes: [nested('j'), nested('other')] }, 'p.j').nodes.map(({ opens }) => opens),
    ).toEqual([undefined, undefined]);
  });

  it("derives a node's job and kind from what is known [O7]", () => {
    expect(jobOf({ id: 'a.b.c', task: { successors: [] } })).toBe('a.b');
    expect(jobOf({ id: 'a.b', objectType: 'job' })).toBe('a.b');
    expect(kindOf({ id: '', objectType: 'Task', nodeType: 'Script' })).toBe('Script');
    expect(rootJob({ nodes: [] })).toBe('');
  });

  it('converts a tree of tasks, each task once [O20]', () => {
    const start = {
      name: 'a',
      taskType: 'Python',
      successors: [{ name: 'b', taskType: 'SqlMapper', successors: ['c', 'a'] }],
    };
    const nodes = tasksOf(repairPayload(widgetSchemas.task, { task: start }).data.task, 'p', 'j');
    expect(nodes.map(({ id, nodeType }) => [id, nodeType])).toEqual([
      ['p.j.a', 'Script'],
      ['p.j.b', 'SqlMapper'],
      ['p.j.c', 'Task'],
    ]);
    expect(arrows(jobFlow({ nodes }, 'p.j'))).toEqual([
      'p.j.a > p.j.b',
      'p.j.b > p.j.c',
      'p.j.b > p.j.a',
    ]);
  });
});

describe('a lineage graph', () => {
  it('adds nodes that only edges mention, and contains each edge once [O14]', () => {
    const flow = lineageFlow({
      nodes: [{ id: 'a', label: 'A', objectType: 'Table' }, { id: 'a' }],
      edges: [
        { source: 'a', target: 'b' },
        { source: 'a', target: 'b' },
        { source: 'b', target: 'b' },
        { source: '', target: 'a' },
      ],
    });
    expect(flow.nodes.map(({ label, kind }) => [label, kind])).toEqual([
      ['A', 'table'],
      ['b', 'unknown'],
    ]);
    expect(arrows(flow)).toEqual(['a > b', 'b > b']);
    expect(flow.missing).toEqual(['b']);
    const { nodes } = lineageFlow({
      nodes: [{ id: 'a' }, { id: 'b' }],
      edges: [],
      rootNodeId: 'b',
    });
    expect(nodes.map(({ isOwn }) => isOwn)).toEqual([undefined, true]);
    expect(FIXED_FROM_EDGES).toBe(100);
  });
});

describe('the layered layout', () => {
  const at = (points: Float32Array, node: number) => [points[2 * node], points[2 * node + 1]];
  it('places levels 230 apart from left to right, without overlaps [O6]', () => {
    const points = layout({ count: 4, links: [0, 1, 0, 2, 1, 3, 2, 3] });
    expect(at(points, 0)).toEqual([0, 0]);
    expect([points[2], points[4], points[6]]).toEqual([
      LAYER_DISTANCE,
      LAYER_DISTANCE,
      2 * LAYER_DISTANCE,
    ]);
    expect(Math.abs(points[3]! - points[5]!)).toBe(96);
  });
  it('gives nodes unique positions, and places sources left of targets without cycles', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }).chain((count) =>
          fc.record({
            count: fc.constant(count),
            links: fc
              .array(fc.nat(count - 1), { maxLength: 160 })
              .map((all) => all.slice(0, all.length - (all.length % 2))),
          }),
        ),
        ({ count, links }) => {
          const points = layout({ count, links });
          expect(
            new Set(Array.from({ length: count }, (_, node) => at(points, node).join())).size,
          ).toBe(count);
          expect([...points].every(Number.isFinite)).toBe(true);
          const forward = links.flatMap((_, index) =>
            index % 2 === 0 && links[index]! < links[index + 1]!
              ? [links[index]!, links[index + 1]!]
              : [],
          );
          const straight = layout({ count, links: forward });
          for (let index = 0; index < forward.length; index += 2)
            expect(straight[2 * forward[index]!]!).toBeLessThan(straight[2 * forward[index + 1]!]!);
        },
      ),
    );
  });
  it('handles a chain of 20,000 nodes without a stack overflow', () => {
    const count = 20_000;
    const points = layout({
      count,
      links: Array.from({ length: count - 1 }, (_, node) => [node, node + 1]).flat(),
    });
    expect(points[2 * (count - 1)]).toBe((count - 1) * LAYER_DISTANCE);
  });
});
