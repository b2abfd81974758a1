/** Directed graphs out of payloads: the tasks of one job, and the data sets of a lineage. Pure; nothing in a payload makes them throw. */
import type { JobNode, Task } from './jobs.ts';
import type { Lineage } from './shapes.ts';

/** A node as it is drawn. */
export interface FlowNode {
  /** Once in a graph. */
  readonly id: string;
  /** What is written on it. */
  readonly label: string;
  /** A second line: language, target, project. */
  readonly about?: string | undefined;
  /** In small letters: `job`, `task`, `script`, `nestedjob`, `sqlmapper`, `table`… */
  readonly kind: string;
  /** As the payload writes the kind. */
  readonly kindText: string;
  /** The job that it opens, `project.job`; absent where that is not in the payload. */
  readonly opens?: string | undefined;
}
/** A connection, by ids. */
export interface FlowEdge {
  /** Where it begins. */
  readonly source: string;
  /** Where its arrow is. */
  readonly target: string;
}
/** A graph that can be drawn: ids are there once, edges lead from node to node. */
export interface FlowGraph {
  /** In the order of the payload. */
  readonly nodes: readonly FlowNode[];
  /** Each once. */
  readonly edges: readonly FlowEdge[];
  /** Names that connections mention and nothing has. */
  readonly missing: readonly string[];
}
/** Payload of a job's graph, as far as it is read here. */
export interface JobGraphData {
  /** The job that is shown first: `project.job`, or the id of a node of it. */
  readonly rootNodeId?: string | undefined;
  /** Nodes of all jobs. */
  readonly nodes: readonly JobNode[];
  /** Without them predecessors and successors of the tasks tell. */
  readonly edges?: readonly FlowEdge[] | undefined;
}

const dotted = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join('.');
const isJob = (node: JobNode): boolean => kindOf(node).toLowerCase() === 'job';

/** What a node is. `nodeType` tells more than an `objectType` of Task. */
export function kindOf({ nodeType, objectType, task }: JobNode): string {
  return nodeType || objectType || (task?.nestedJobReference ? 'NestedJob' : task ? 'Task' : 'Job');
}

/** The job that a node belongs to, `project.job`; out of its id where it does not say. */
export function jobOf(node: JobNode): string {
  if (node.jobName) return dotted(node.projectName, node.jobName);
  return isJob(node) ? node.id : node.id.slice(0, Math.max(0, node.id.lastIndexOf('.')));
}

/** What a node is known by; out of its names where it has no id. */
export const nodeId = (node: JobNode): string => node.id || dotted(jobOf(node), node.task?.name);

/** The job that a node's task refers to, `project.job`; its own project where none is named. */
export function nestedJobOf(node: JobNode): string | undefined {
  const to = node.task?.nestedJobReference;
  return to?.jobName ? dotted(to.projectName || node.projectName, to.jobName) : undefined;
}

/** The job that is shown first. */
export function rootJob({ rootNodeId, nodes }: JobGraphData): string {
  const root =
    nodes.find(({ id }) => id === rootNodeId) ??
    nodes.find((node) => jobOf(node) === rootNodeId) ??
    nodes.find(isJob) ??
    nodes[0];
  return root ? jobOf(root) : (rootNodeId ?? '');
}

const successorName = (successor: string | { readonly name?: string | undefined }): string =>
  typeof successor === 'string' ? successor : (successor.name ?? '');
/** Target of a task's rows, `schema.table`. */
export const targetOf = (task: Task | undefined): string | undefined =>
  task?.targetTableName ? dotted(task.targetSchemaName, task.targetTableName) : undefined;

function aboutOf(node: JobNode, kind: string): string | undefined {
  if (kind === 'job') return node.projectName;
  if (kind === 'nestedjob') return nestedJobOf(node);
  return (
    targetOf(node.task) ??
    (node.task?.taskType?.toLowerCase() === kind ? undefined : node.task?.taskType) ??
    node.task?.description
  );
}

/** Edges, each once, between nodes that are there; what is not is named. */
function edgesAmong(
  found: Iterable<FlowEdge>,
  ids: ReadonlySet<string>,
  elsewhere: ReadonlySet<string>,
): Pick<FlowGraph, 'edges' | 'missing'> {
  const edges = new Map<string, FlowEdge>();
  const missing = new Set<string>();
  for (const { source, target } of found) {
    if (ids.has(source) && ids.has(target))
      edges.set(JSON.stringify([source, target]), { source, target });
    for (const id of [source, target]) if (!ids.has(id) && !elsewhere.has(id)) missing.add(id);
  }
  return { edges: [...edges.values()], missing: [...missing] };
}

/**
 * The nodes of one job and what leads to what. Into a node lead the edges of the payload where it has any there; else those that
 * the tasks tell by predecessor and successors; into a task that nothing leads to, the job itself.
 *
 * @param job `project.job`
 */
export function jobFlow(data: JobGraphData, job: string): FlowGraph {
  const jobs = new Set(data.nodes.map(jobOf));
  const own = new Map<string, JobNode>();
  const everywhere = new Set<string>();
  for (const node of data.nodes) {
    const id = nodeId(node);
    everywhere.add(id);
    if (jobOf(node) === job && !own.has(id)) own.set(id, node);
  }
  const nodes = [...own].map(([id, node]): FlowNode => {
    const kindText = kindOf(node);
    const kind = kindText.toLowerCase();
    const nested = nestedJobOf(node);
    return {
      id,
      kind,
      kindText,
      label: node.label || node.task?.name || (isJob(node) ? node.jobName : undefined) || id,
      about: aboutOf(node, kind),
      opens: nested !== undefined && nested !== job && jobs.has(nested) ? nested : undefined,
    };
  });
  const given = (data.edges ?? []).filter(
    ({ source, target }) =>
      own.has(source) || own.has(target) || !(everywhere.has(source) || everywhere.has(target)),
  );
  const { edges, missing } = edgesAmong(
    [...given, ...told(own, given)],
    new Set(own.keys()),
    everywhere,
  );
  return { nodes, edges, missing };
}

/** What the tasks tell of the edges into nodes that `given` has none for. */
function told(own: ReadonlyMap<string, JobNode>, given: readonly FlowEdge[]): FlowEdge[] {
  const reached = new Set(
    given.filter(({ source }) => own.has(source)).map(({ target }) => target),
  );
  const byName = new Map<string, string>();
  for (const [id, { task }] of own)
    if (task?.name && !byName.has(task.name)) byName.set(task.name, id);
  const idOf = (name: string): string => byName.get(name) ?? name;
  const edges: FlowEdge[] = [];
  for (const [id, { task }] of own) {
    if (task?.predecessor) edges.push({ source: idOf(task.predecessor), target: id });
    for (const successor of task?.successors ?? [])
      if (successorName(successor))
        edges.push({ source: id, target: idOf(successorName(successor)) });
  }
  const fresh = edges.filter(({ target }) => !reached.has(target));
  const led = new Set([
    ...reached,
    ...fresh.filter(({ source }) => own.has(source)).map(({ target }) => target),
  ]);
  const job = [...own].find(([, node]) => isJob(node))?.[0];
  if (job !== undefined)
    for (const [id, node] of own)
      if (!led.has(id) && !isJob(node)) fresh.push({ source: job, target: id });
  return fresh;
}

/** Lineage of this many connections is laid out once and for all, with straight lines (specification). */
export const FIXED_FROM_EDGES = 100;

/** A lineage as a graph; what only a connection names stands in it as `unknown`. */
export function lineageFlow({ nodes, edges }: NonNullable<Lineage['lineageGraph']>): FlowGraph {
  const found = new Map<string, FlowNode>();
  for (const { id, label, objectType } of nodes) {
    if (id !== '' && !found.has(id))
      found.set(id, {
        id,
        label: label || id,
        about: objectType,
        kind: (objectType ?? '').toLowerCase() || 'unknown',
        kindText: objectType ?? '',
      });
  }
  const missing = new Set<string>();
  for (const { source, target } of edges) {
    for (const id of [source, target]) {
      if (id === '' || found.has(id)) continue;
      missing.add(id);
      found.set(id, { id, label: id, kind: 'unknown', kindText: '' });
    }
  }
  return {
    nodes: [...found.values()],
    edges: edgesAmong(edges, new Set(found.keys()), new Set([''])).edges,
    missing: [...missing],
  };
}

/** A tree of tasks as nodes of a job's graph, by names; a task that comes twice is taken once. */
export function tasksOf(
  start: Task | undefined,
  projectName: string | undefined,
  jobName: string | undefined,
): JobNode[] {
  const found = new Map<string, JobNode>();
  const waiting = start ? [{ task: start, after: undefined as string | undefined }] : [];
  while (waiting.length > 0) {
    const { task, after } = waiting.shift()!;
    const name = task.name ?? '';
    if (name === '' || found.has(name)) continue;
    const type = task.taskType?.toLowerCase();
    const nodeType =
      task.nestedJobReference || type === 'nestedjob'
        ? 'NestedJob'
        : type === 'sqlmapper'
          ? 'SqlMapper'
          : type === undefined || type === 'task'
            ? 'Task'
            : 'Script';
    found.set(name, {
      id: dotted(projectName, jobName, name),
      projectName,
      jobName,
      nodeType,
      task: { ...task, predecessor: task.predecessor ?? after, successors: task.successors ?? [] },
    });
    for (const successor of task.successors ?? [])
      if (typeof successor === 'object') waiting.push({ task: successor as Task, after: name });
  }
  // Tasks that are told by their names alone.
  for (const { task } of [...found.values()]) {
    for (const successor of task?.successors ?? []) {
      const name = successorName(successor);
      if (name && !found.has(name))
        found.set(name, {
          id: dotted(projectName, jobName, name),
          projectName,
          jobName,
          nodeType: 'Task',
          task: { name, predecessor: task?.name, successors: [] },
        });
    }
  }
  return [...found.values()];
}
