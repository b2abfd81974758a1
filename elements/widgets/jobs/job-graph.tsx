/** Flow graph of a job, including its nested jobs. */

import {
  type JobNode,
  jobFlow,
  jobOf,
  kindOf,
  nestedJobOf,
  nodeId,
  rootJob,
  type WidgetData,
} from '@tiding/client/widgets';
import { ChevronRight } from 'lucide-react';
import { Fragment, useMemo, useState } from 'react';
import { emitEvent } from '../../runtime/define-element.ts';
import { fill } from '../../text/fill.ts';
import { Button, Icon } from '../../ui/button.tsx';
import type { WidgetModule, WidgetProps } from '../contract.ts';
import { Flow, FlowMissing } from '../graph/flow.tsx';
import graphSheet from '../graph/graph.css';
import { kindIcon, kindText } from '../graph/node-types.ts';
import { graphTexts } from '../graph/texts.ts';
import { Facts, ObjectLink, StateBadge } from '../parts.tsx';
import { counted } from '../sentences.ts';
import jobsSheet from './jobs.css';
import { LastRun, TaskDetail } from './task-detail.tsx';
import { jobsTexts as t } from './texts.ts';

const kinds = ['job', 'task', 'script', 'nestedjob', 'sqlmapper'];

type Data = WidgetData<'job-graph'>;

export const jobGraph: WidgetModule<Data> = {
  View: JobGraphView,
  sheets: [graphSheet, jobsSheet],
  describe: (data) => {
    const job = rootJob(data);
    const { nodes, edges } = jobFlow(data, job);
    if (nodes.length === 0) return t.graphEmpty;
    const counts = kinds
      .map((kind) => [kind, nodes.filter((node) => node.kind === kind).length] as const)
      .filter(([kind, n]) => n > 0 && kind !== 'job');
    return fill(t.graphSummary, {
      job,
      counts: counts.map(([kind, n]) => `${n} ${graphTexts.kinds[kind]!}`).join(', ') || '0',
      edges: counted(edges.length, graphTexts.connections),
    });
  },
};

function JobGraphView({ data, host }: WidgetProps<Data>) {
  return <JobGraph data={data} root={rootJob(data)} host={host} />;
}

/** Graph of a job with navigation into nested jobs. The job widget contains it too. */
export function JobGraph({ data, root, host }: { data: Data; root: string; host: HTMLElement }) {
  const [trail, setTrail] = useState<readonly string[]>([root]);
  const [selectedId, setSelectedId] = useState<string>();
  const jobs = useMemo(() => new Set(data.nodes.map(jobOf)), [data]);
  // Return to the root if new data lacks a job of the trail.
  const path = trail[0] === root && trail.every((each) => jobs.has(each)) ? trail : [root];
  const job = path.at(-1)!;
  const flow = useMemo(() => jobFlow(data, job), [data, job]);
  const node = useMemo(
    () =>
      selectedId === undefined
        ? undefined
        : data.nodes.find((each) => nodeId(each) === selectedId && jobOf(each) === job),
    [data, job, selectedId],
  );
  const select = (id: string | undefined): void => {
    if (id === selectedId) return;
    setSelectedId(id);
    const found = data.nodes.find((each) => nodeId(each) === id && jobOf(each) === job);
    const label = flow.nodes.find((each) => each.id === id)?.label;
    emitEvent(
      host,
      'tiding-select',
      found && id !== undefined
        ? {
            values: {
              id,
              projectName: found.projectName,
              jobName: found.jobName,
              kind: kindOf(found),
              taskName: found.task?.name,
            },
            label,
          }
        : null,
    );
  };
  const navigate = (next: readonly string[]): void => {
    setTrail(next);
    select(undefined);
  };
  const openNestedJob = (id: string): void => {
    const nestedJob = flow.nodes.find((each) => each.id === id)?.opens;
    if (nestedJob !== undefined) navigate([...path, nestedJob]);
  };
  return (
    <div className="flow-card">
      <div className="flow-bar">
        <nav aria-label={t.path}>
          <ol>
            {path.map((each, index) => (
              <Fragment key={index}>
                {index > 0 ? (
                  <li aria-hidden="true">
                    <Icon of={ChevronRight} size="sm" />
                  </li>
                ) : null}
                <li dir="auto">
                  {index === path.length - 1 ? (
                    <b aria-current="page">{each}</b>
                  ) : (
                    <button
                      type="button"
                      className="crumb"
                      onClick={() => navigate(path.slice(0, index + 1))}
                    >
                      {each}
                    </button>
                  )}
                </li>
              </Fragment>
            ))}
          </ol>
        </nav>
        {flow.nodes.some(({ opens }) => opens !== undefined) ? (
          <span className="flow-hint">{t.openHint}</span>
        ) : null}
      </div>
      <Flow
        key={`${path.length} ${job}`}
        graph={flow}
        label={fill(t.graphOf, { job })}
        kinds={kinds}
        fixed={false}
        chosen={node && selectedId}
        onChoose={select}
        onOpen={openNestedJob}
      />
      <FlowMissing names={flow.missing} />
      {node ? (
        <NodeDetail
          node={node}
          after={flow.edges
            .filter(({ target, source }) => target === selectedId && source !== selectedId)
            .flatMap(({ source }) =>
              flow.nodes
                .filter(({ id, kind }) => id === source && kind !== 'job')
                .map(({ label }) => label),
            )}
          opens={flow.nodes.find(({ id }) => id === selectedId)?.opens}
          onOpen={() => openNestedJob(nodeId(node))}
        />
      ) : null}
    </div>
  );
}

interface NodeDetailProps {
  node: JobNode;
  after: readonly string[];
  opens: string | undefined;
  onOpen: () => void;
}

function NodeDetail({ node, after, opens, onOpen }: NodeDetailProps) {
  const kind = kindOf(node);
  const title = (
    <h3>
      <Icon of={kindIcon(kind)} />
      <span dir="auto">{node.label || node.task?.name || node.jobName || node.id}</span>
    </h3>
  );
  const openButton =
    opens === undefined ? null : (
      <Button kind="secondary" size="sm" onClick={onOpen}>
        {fill(t.open, { job: opens })}
      </Button>
    );
  return (
    <section className="flow-detail" aria-label={t.chosen}>
      {node.task ? (
        <TaskDetail
          title={title}
          task={node.task}
          kind={kind}
          after={after}
          state={node.state}
          lastRun={node.lastRun}
          project={node.projectName}
        />
      ) : (
        <div className="task-detail">
          <div>
            {title}
            <Facts
              of={[
                [t.kind, kindText(kind)],
                [
                  t.project,
                  node.projectName && <ObjectLink widget="project" name={node.projectName} />,
                ],
                [t.job, node.jobName && <ObjectLink widget="job" name={jobOf(node)} />],
                [t.nestedJob, nestedJobOf(node)],
                [t.state, node.state && <StateBadge state={node.state} />],
                [t.ofNode, node.lastRun && <LastRun of={node.lastRun} />],
              ]}
            />
          </div>
        </div>
      )}
      {openButton}
    </section>
  );
}
