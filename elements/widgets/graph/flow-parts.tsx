/** Rendering of nodes and connections. */

import { shortDuration } from '@tiding/client/model';
import { durationOf, type FlowNode, NODE_HEIGHT, NODE_WIDTH } from '@tiding/client/widgets';
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  getBezierPath,
  type Node,
  type NodeProps,
  Position,
} from '@xyflow/react';
import { ChevronRight } from 'lucide-react';
import { createContext, memo, useContext } from 'react';
import { fill } from '../../text/fill.ts';
import { Icon } from '../../ui/button.tsx';
import { StatusGlyph } from '../../ui/status.tsx';
import { timeText } from '../parts.tsx';
import { kindIcon, kindText } from './node-types.ts';
import { graphTexts } from './texts.ts';

/** A node of the graph library with this widget's data. */
export type DrawnNode = Node<
  { readonly node: FlowNode; readonly chosen: boolean; readonly stop: boolean },
  'flow'
>;
/** A connection of the graph library. */
export type DrawnEdge = Edge<{ readonly straight: boolean }, 'flow'>;

/** Event handlers of nodes, shared by all of them. */
export interface FlowActs {
  readonly choose: (id: string) => void;
  readonly open: (id: string) => void;
  /** Rendered elements by node id, for focus. */
  readonly drawn: Map<string, HTMLElement>;
}
export const FlowActsContext = createContext<FlowActs | undefined>(undefined);

type Run = NonNullable<FlowNode['lastRun']>;

/** Status of a paragraph whose icon shows the state of a run. */
const runStatuses: readonly (readonly [RegExp, string])[] = [
  [/^(succeeded|finished)$/i, 'FINISHED'],
  [/^failed$/i, 'ERROR'],
  [/^(running|inprogress|preparing)$/i, 'RUNNING'],
  [/^(cancelled|stopped|stopping)$/i, 'ABORT'],
];

/** State, duration and start of a run in words. */
function runText(run: Run): string {
  const took = durationOf(run);
  return fill(graphTexts.lastRun, {
    run: [run.state, took === undefined ? '' : shortDuration(took), timeText(run.startTime)]
      .filter(Boolean)
      .join(', '),
  });
}

/** State and duration of the latest run, on its node. The words are in the node's title. */
function LastRun({ run }: { run: Run }) {
  const status = runStatuses.find(([states]) => states.test(run.state ?? ''))?.[1];
  const took = durationOf(run);
  return (
    <span className="flow-run" aria-hidden="true">
      {status ? <StatusGlyph status={status} /> : run.state}
      {took === undefined ? null : <time>{shortDuration(took)}</time>}
    </span>
  );
}

/** A node: an icon for its type, its name and a description. */
export const FlowNodeView = memo(function FlowNodeView({
  id,
  data: { node, chosen, stop },
}: NodeProps<DrawnNode>) {
  const acts = useContext(FlowActsContext);
  return (
    <button
      ref={(element) => {
        if (element) acts?.drawn.set(id, element);
        else acts?.drawn.delete(id);
      }}
      type="button"
      className={
        `flow-node kind-${/^[a-z]+$/.test(node.kind) ? node.kind : 'other'}` +
        `${node.isOwn ? ' own' : ''}`
      }
      aria-pressed={chosen}
      tabIndex={stop ? 0 : -1}
      data-node={id}
      title={[node.label, node.about, node.lastRun && runText(node.lastRun)]
        .filter(Boolean)
        .join('\n')}
      onClick={() => acts?.choose(id)}
      onDoubleClick={() => acts?.open(id)}
    >
      {/* Handle positions, as the library looks them up. */}
      <i className="flow-end target" data-handlepos="left" />
      <i className="flow-end source" data-handlepos="right" />
      <span className="flow-icon">
        <Icon of={kindIcon(node.kind)} />
      </span>
      <span className="flow-words" dir="auto">
        <b>{node.label}</b>
        {node.about === undefined && !node.lastRun ? null : (
          <span>
            {node.lastRun ? <LastRun run={node.lastRun} /> : null}
            {node.about}
          </span>
        )}
      </span>
      <span className="visually-hidden">
        , {kindText(node.kind, node.kindText)}
        {node.isOwn ? `, ${graphTexts.own}` : null}
        {node.lastRun ? `, ${runText(node.lastRun)}` : null}
        {node.opens === undefined ? null : `, ${graphTexts.opens}`}
      </span>
      {node.opens === undefined ? null : (
        <Icon of={ChevronRight} size="sm" className="flow-opens" />
      )}
    </button>
  );
});

/** Length of an arrow head, in px. */
const ARROW_HEAD_PX = 7;

/** A connection with an arrow head. A node's connection to itself loops above it. */
export const FlowEdgeView = memo(function FlowEdgeView({
  source,
  target,
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
}: EdgeProps<DrawnEdge>) {
  if (source === target) {
    const top = sourceY - NODE_HEIGHT / 2;
    const middle = sourceX - NODE_WIDTH / 2;
    return (
      <Arrow
        path={
          `M${middle + 40} ${top}C${middle + 40} ${top - 30} ${middle - 40} ${top - 30} ` +
          `${middle - 40} ${top - ARROW_HEAD_PX}`
        }
        x={middle - 40}
        y={top}
        angle={90}
      />
    );
  }
  if (data?.straight) {
    const angle = Math.atan2(targetY - sourceY, targetX - sourceX);
    return (
      <Arrow
        path={
          `M${sourceX} ${sourceY}L${targetX - ARROW_HEAD_PX * Math.cos(angle)} ` +
          `${targetY - ARROW_HEAD_PX * Math.sin(angle)}`
        }
        x={targetX}
        y={targetY}
        angle={(angle * 180) / Math.PI}
      />
    );
  }
  const [path] = getBezierPath({
    sourceX,
    sourceY,
    sourcePosition: Position.Right,
    targetX: targetX - ARROW_HEAD_PX,
    targetY,
    targetPosition: Position.Left,
  });
  return <Arrow path={path} x={targetX} y={targetY} angle={0} />;
});

/** A line and its head, rotated to the direction of the line's end. */
function Arrow({ path, x, y, angle }: { path: string; x: number; y: number; angle: number }) {
  return (
    <>
      <BaseEdge path={path} interactionWidth={0} />
      <path
        className="flow-head"
        d="M-8 -4L0 0L-8 4Z"
        transform={`translate(${x} ${y}) rotate(${angle})`}
      />
    </>
  );
}
