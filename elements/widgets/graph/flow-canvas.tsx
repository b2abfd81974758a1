/** The drawn graph: panned with the pointer, navigated with keys. Loads its library on demand. */

import { type FlowGraph, NODE_HEIGHT, NODE_WIDTH } from '@tiding/client/widgets';
import { Position, ReactFlow, type ReactFlowInstance, useReactFlow } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import { text } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import {
  type DrawnEdge,
  type DrawnNode,
  type FlowActs,
  FlowActsContext,
  FlowEdgeView,
  FlowNodeView,
} from './flow-parts.tsx';
import { fitted, walker } from './key-navigation.ts';
import { arrange } from './layout.ts';

const t = text.widgets.graph;
const nodeTypes = { flow: FlowNodeView };
const edgeTypes = { flow: FlowEdgeView };
/** Graphs with more nodes are never zoomed out so far that all are drawn. */
const LARGE_GRAPH_NODES = 1_000;
const LARGE_GRAPH_MIN_ZOOM = 0.2;
const MIN_ZOOM = 0.1;
const MAX_ZOOM = 2;
/**
 * Elements narrower than this (px) first show the start of a graph at a readable size; Fit shows
 * all of it.
 */
const NARROW_WIDTH_PX = 720;
const NARROW_MIN_ZOOM = 0.62;
/** Frames until a node that came into view is drawn. */
const MAX_RENDER_FRAMES = 20;
const size = { width: NODE_WIDTH, height: NODE_HEIGHT };
const handles = [
  {
    type: 'target' as const,
    position: Position.Left,
    x: 0,
    y: NODE_HEIGHT / 2,
    width: 0,
    height: 0,
  },
  {
    type: 'source' as const,
    position: Position.Right,
    x: NODE_WIDTH,
    y: NODE_HEIGHT / 2,
    width: 0,
    height: 0,
  },
];
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
/** Touch devices pan with a finger; the wheel never zooms. */
const fingers = (): boolean => matchMedia('(pointer: coarse)').matches;

export interface FlowCanvasProps {
  readonly graph: FlowGraph;
  readonly label: string;
  /** Straight lines, laid out once by layers only. */
  readonly fixed: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  /** A node that can be opened was double-clicked, or Enter was pressed on it. */
  readonly onOpen: ((id: string) => void) | undefined;
  readonly describedBy: string;
}

/** The drawing surface. The view is fitted once, after the first render. */
export function FlowCanvas({
  graph,
  label,
  fixed,
  chosen,
  onChoose,
  onOpen,
  describedBy,
}: FlowCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<DrawnNode, DrawnEdge>>(null);
  const [laid, setLaid] = useState<{ graph: FlowGraph; points: Float32Array }>();
  const [failed, setFailed] = useState(false);
  const width = useWidth(box);
  const [stop, setStop] = useState<string>();
  useEffect(() => {
    let gone = false;
    arrange(graph, fixed).then(
      (points) => !gone && setLaid({ graph, points }),
      () => !gone && setFailed(true),
    );
    return () => void (gone = true);
  }, [graph, fixed]);

  const numbers = useMemo(() => new Map(laid?.graph.nodes.map(({ id }, at) => [id, at])), [laid]);
  const walk = useMemo(() => laid && walker(laid.graph, laid.points), [laid]);
  const at =
    stop !== undefined && numbers.has(stop)
      ? stop
      : chosen !== undefined && numbers.has(chosen)
        ? chosen
        : laid?.graph.nodes[walk?.(0, 'Home') ?? 0]?.id;
  const plain = useMemo(
    () =>
      laid?.graph.nodes.map(
        (node, number): DrawnNode => ({
          id: node.id,
          type: 'flow',
          position: { x: laid.points[2 * number]!, y: laid.points[2 * number + 1]! },
          data: { node, chosen: false, stop: false },
          ...size,
          measured: size,
          handles,
          draggable: false,
          selectable: false,
          focusable: false,
          connectable: false,
        }),
      ),
    [laid],
  );
  // Only the two affected nodes get new objects, so that a key press does not re-render thousands.
  const nodes = useMemo(
    () =>
      plain?.map((each) =>
        each.id === chosen || each.id === at
          ? { ...each, data: { ...each.data, chosen: each.id === chosen, stop: each.id === at } }
          : each,
      ),
    [plain, chosen, at],
  );
  const straight = useMemo(
    () =>
      laid?.graph.edges.map(
        ({ source, target }, number): DrawnEdge => ({
          id: String(number),
          type: 'flow',
          source,
          target,
          data: { straight: fixed },
          focusable: false,
          selectable: false,
        }),
      ),
    [laid, fixed],
  );
  const edges = useMemo(
    () =>
      straight?.map((each) =>
        each.source === chosen || each.target === chosen
          ? { ...each, className: 'on', zIndex: 1 }
          : each,
      ),
    [straight, chosen],
  );

  const choose = useEvent((id: string) => {
    setStop(id);
    onChoose(id);
  });
  const open = useEvent(
    (id: string) => laid?.graph.nodes[numbers.get(id)!]?.opens !== undefined && onOpen?.(id),
  );
  const acts = useMemo<FlowActs>(
    () => ({ choose, open: (id) => void open(id), drawn: new Map() }),
    [choose, open],
  );
  const least =
    (laid?.graph.nodes.length ?? 0) > LARGE_GRAPH_NODES ? LARGE_GRAPH_MIN_ZOOM : MIN_ZOOM;
  const view = (first: boolean): { x: number; y: number; zoom: number } =>
    fitted(
      laid!.points,
      box.current!.clientWidth,
      box.current!.clientHeight,
      Math.max(least, first && box.current!.clientWidth < NARROW_WIDTH_PX ? NARROW_MIN_ZOOM : 0.25),
    );

  const go = (number: number): void => {
    const { id } = laid!.graph.nodes[number]!;
    const [x, y] = [laid!.points[2 * number]!, laid!.points[2 * number + 1]!];
    const seen = flow.current!.getViewport();
    const [left, top] = [x * seen.zoom + seen.x, y * seen.zoom + seen.y];
    const { clientWidth, clientHeight } = box.current!;
    if (
      left < 0 ||
      top < 0 ||
      left + NODE_WIDTH * seen.zoom > clientWidth ||
      top + NODE_HEIGHT * seen.zoom > clientHeight
    )
      void flow.current!.setCenter(x + NODE_WIDTH / 2, y + NODE_HEIGHT / 2, { zoom: seen.zoom });
    setStop(id);
    const focus = (left: number): void => {
      const element = acts.drawn.get(id);
      if (element) element.focus({ preventScroll: true });
      else if (left > 0) requestAnimationFrame(() => focus(left - 1));
    };
    focus(MAX_RENDER_FRAMES);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const node = (event.target as HTMLElement).closest<HTMLElement>('.flow-node')?.dataset['node'];
    if (event.key === 'Escape' && chosen !== undefined) {
      event.stopPropagation();
      return onChoose(undefined);
    }
    if (node === undefined || !walk || event.altKey || event.ctrlKey || event.metaKey)
      return undefined;
    const number = numbers.get(node)!;
    if (event.key === 'Enter' && onOpen && laid!.graph.nodes[number]!.opens !== undefined) {
      event.preventDefault();
      return onOpen(node);
    }
    const next = walk(number, event.key);
    if (next === undefined && !event.key.startsWith('Arrow')) return undefined;
    // Prevent the page from scrolling when there is no next node.
    event.preventDefault();
    if (next !== undefined) go(next);
    return undefined;
  };
  const motion = { duration: still() ? 0 : 160 };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the focused node
    <div ref={box} className="flow-canvas" onKeyDown={onKeyDown}>
      {failed ? (
        <p className="element-note" role="alert">
          {t.notLaid}
        </p>
      ) : null}
      {laid && nodes && edges && width > 0 ? (
        <FlowActsContext value={acts}>
          <ReactFlow<DrawnNode, DrawnEdge>
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            defaultViewport={view(true)}
            minZoom={least}
            maxZoom={MAX_ZOOM}
            onlyRenderVisibleElements
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            zoomOnScroll={false}
            zoomOnPinch={fingers()}
            zoomOnDoubleClick={false}
            panOnScroll={false}
            preventScrolling={false}
            proOptions={{ hideAttribution: true }}
            deleteKeyCode={null}
            selectionKeyCode={null}
            multiSelectionKeyCode={null}
            panActivationKeyCode={null}
            zoomActivationKeyCode={null}
            onPaneClick={() => onChoose(undefined)}
            aria-label={label}
            aria-describedby={describedBy}
          >
            <Hold as={flow} />
          </ReactFlow>
        </FlowActsContext>
      ) : (
        <Loading />
      )}
      <div
        className="flow-nav"
        role="toolbar"
        aria-label={t.navigation}
        aria-orientation="vertical"
      >
        <Button icon={ZoomIn} label={t.zoomIn} onClick={() => void flow.current?.zoomIn(motion)} />
        <Button
          icon={ZoomOut}
          label={t.zoomOut}
          onClick={() => void flow.current?.zoomOut(motion)}
        />
        <Button
          icon={Maximize}
          label={t.fit}
          onClick={() => laid && void flow.current?.setViewport(view(false), motion)}
        />
      </div>
    </div>
  );
}

/** Exposes the library's view controls, which are available only inside its context. */
function Hold({ as }: { as: { current: ReactFlowInstance<DrawnNode, DrawnEdge> | null } }) {
  as.current = useReactFlow<DrawnNode, DrawnEdge>();
  return null;
}

/**
 * Width of an element once it is laid out: a graph rendered while hidden is fitted when it becomes
 * visible.
 */
function useWidth(of: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current!;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0) return;
      setWidth(element.clientWidth);
      observer.disconnect();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
