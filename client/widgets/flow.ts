/**
 * Converts payloads to directed graphs: the tasks of a job, and the data sets of a lineage. Pure
 * functions that never throw for any payload.
 */
import type { JobNode, Task } from './jobs.ts';
import type { Lineage } from './shared/shared-schemas.ts';

/** A node to draw. */
export interface FlowNode {
  /** Unique in the graph. */
  readonly id: string;
  /** Text on the node. */
  readonly label: string;
  /** Second line of text: language, target or project. */
  readonly about?: string | undefined;
  /** Kind in lower case: `job`, `task`, `script`, `nestedjob`, `sqlmapper`, `table`, … */
  readonly kind: string;
  /** Kind as spelled in the payload. */
  readonly kindText: string;
  /**
   * The nested job that the node opens, `project.job`. Absent if the payload does not contain it.
   */
  readonly opens?: string | undefined;
  /** The latest run of a job or task. */
  readonly lastRun?: JobNode['lastRun'];
  /** Whether the node is the object whose lineage the graph shows. */
  readonly isOwn?: boolean | undefined;
}
/** A directed edge between two node ids. */
export interface FlowEdge {
  /** Id of the node where the edge starts. */
  readonly source: string;
  /** Id of the node that the arrow points to. */
  readonly target: string;
}
/** A graph to draw. Node ids are unique, and edges connect existing nodes. */
export interface FlowGraph {
  /** Nodes in the order of the payload. */
  readonly nodes: readonly FlowNode[];
  /** Edges without duplicates. */
  readonly edges: readonly FlowEdge[];
  /** Names that edges mention but that are not nodes. */
  readonly missing: readonly string[];
}
/** The members of a `job-graph` payload that {@link jobFlow} reads. */
export interface JobGraphData {
  /** The job to show first: `project.job`, or the id of one of its nodes. */
  readonly rootNodeId?: string | undefined;
  /** Nodes of all jobs. */
  readonly nodes: readonly JobNode[];
  /** Explicit edges. Without them, edges follow from the predecessors and successors of tasks. */
  readonly edges?: readonly FlowEdge[] | undefined;
}

const dotted = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join('.');
const isJob = (node: JobNode): boolean => kindOf(node).toLowerCase() === 'job';

/** The kind of a node. `nodeType` is more specific than an `objectType` of Task. */
export function kindOf({ nodeType, objectType, task }: JobNode): string {
  return nodeType || objectType || (task?.nestedJobReference ? 'NestedJob' : task ? 'Task' : 'Job');
}

/**
 * The job that a node belongs to, `project.job`. Derived from the node's id if it has no job name.
 */
export function jobOf(node: JobNode): string {
  if (node.jobName) return dotted(node.projectName, node.jobName);
  return isJob(node) ? node.id : node.id.slice(0, Math.max(0, node.id.lastIndexOf('.')));
}

/** The id of a node. Derived from its names if it has no id. */
export const nodeId = (node: JobNode): string => node.id || dotted(jobOf(node), node.task?.name);

/** The nested job of a node's task, `project.job`. The default project is the node's own. */
export function nestedJobOf(node: JobNode): string | undefined {
  const to = node.task?.nestedJobReference;
  return to?.jobName ? dotted(to.projectName || node.projectName, to.jobName) : undefined;
}

/** The job to show first, `project.job`. */
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
/** The target table of a task, `schema.table`. */
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

/** Removes duplicate edges, and collects the names of missing nodes. */
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
 * The nodes and edges of one job. Edges into a node are the payload's, if it has any for that
 * node. Otherwise they follow from the predecessors and successors of tasks. Tasks without an
 * incoming edge are connected to the job's own node.
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
      lastRun: node.lastRun ?? (node.state === undefined ? undefined : { state: node.state }),
    };
  });
  const given = (data.edges ?? []).filter(
    ({ source, target }) =>
      own.has(source) || own.has(target) || !(everywhere.has(source) || everywhere.has(target)),
  );
  const { edges, missing } = edgesAmong(
    [...given, ...derivedEdges(own, given)],
    new Set(own.keys()),
    everywhere,
  );
  return { nodes, edges, missing };
}

/** Edges derived from tasks, into nodes that have no explicit edge. */
function derivedEdges(own: ReadonlyMap<string, JobNode>, given: readonly FlowEdge[]): FlowEdge[] {
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

/**
 * From this number of edges on, a lineage has a fixed layout with straight edges (specification).
 */
export const FIXED_FROM_EDGES = 100;

/** Converts a lineage to a graph. Nodes that only edges mention have the kind `unknown`. */
export function lineageFlow({
  nodes,
  edges,
  rootNodeId,
}: NonNullable<Lineage['lineageGraph']>): FlowGraph {
  const found = new Map<string, FlowNode>();
  for (const { id, label, objectType } of nodes) {
    if (id !== '' && !found.has(id))
      found.set(id, {
        id,
        label: label || id,
        about: objectType,
        kind: (objectType ?? '').toLowerCase() || 'unknown',
        kindText: objectType ?? '',
        ...(id === rootNodeId ? { isOwn: true } : {}),
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

/** Converts a tree of tasks to nodes of a job graph. A task that occurs twice is included once. */
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
  // Add tasks that are only mentioned by name.
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
