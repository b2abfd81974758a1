/** The drawn graph: panned with the pointer, navigated with keys. Loads its library on demand. */

import { type FlowGraph, NODE_HEIGHT, NODE_WIDTH } from '@tiding/client/widgets';
import { MiniMap, ReactFlow, type ReactFlowInstance, useReactFlow, useStore } from '@xyflow/react';
import { ArrowLeftFromLine, ArrowRightFromLine, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useEvent } from '../../runtime/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useArrangedGraph, useFlowElements } from './flow-elements.ts';
import {
  type DrawnEdge,
  type DrawnNode,
  type FlowActs,
  FlowActsContext,
  FlowEdgeView,
  FlowNodeView,
} from './flow-parts.tsx';
import { FlowSearch } from './flow-search.tsx';
import { type Direction, fitted, reachedFrom, walker } from './key-navigation.ts';
import { graphTexts as t } from './texts.ts';

const nodeTypes = { flow: FlowNodeView };
const edgeTypes = { flow: FlowEdgeView };
/** Graphs with more nodes are never zoomed out so far that all are drawn. */
const LARGE_GRAPH_NODES = 1_000;
const LARGE_GRAPH_MIN_ZOOM = 0.2;
const MIN_ZOOM = 0.1;
const MAX_ZOOM = 2;
/** Graphs with fewer nodes have no search field. */
const SEARCH_NODES = 8;
/** Smaller graphs need no overview, and in larger ones its nodes would be too small to see. */
const MINIMAP_NODES = { least: 20, most: 2_000 };
/** Frames until a node that came into view is drawn. */
const MAX_RENDER_FRAMES = 20;
/** Animation of a change of the view. */
const motion = () => ({
  duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 160,
});
/** Whether the device is operated by touch: there, two fingers zoom. The wheel never does. */
const isTouchDevice = (): boolean => matchMedia('(pointer: coarse)').matches;

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
  const { arranged, failed } = useArrangedGraph(graph, fixed);
  const width = useWidth(box);
  const [stop, setStop] = useState<string>();
  const [direction, setDirection] = useState<Direction>();
  const numbers = useMemo(
    () => new Map(arranged?.graph.nodes.map(({ id }, at) => [id, at])),
    [arranged],
  );
  const walk = useMemo(() => arranged && walker(arranged.graph, arranged.points), [arranged]);
  const at =
    stop !== undefined && numbers.has(stop)
      ? stop
      : chosen !== undefined && numbers.has(chosen)
        ? chosen
        : arranged?.graph.nodes[walk?.(0, 'Home') ?? 0]?.id;
  const kept = useMemo(
    () =>
      arranged && chosen !== undefined && direction !== undefined
        ? reachedFrom(arranged.graph, chosen, direction)
        : undefined,
    [arranged, chosen, direction],
  );
  const { nodes, edges } = useFlowElements(arranged, { chosen, stop: at, straight: fixed, kept });

  const choose = useEvent((id: string) => {
    setStop(id);
    onChoose(id);
  });
  const open = useEvent(
    (id: string) => arranged?.graph.nodes[numbers.get(id)!]?.opens !== undefined && onOpen?.(id),
  );
  const acts = useMemo<FlowActs>(
    () => ({ choose, open: (id) => void open(id), drawn: new Map() }),
    [choose, open],
  );
  const isLarge = (arranged?.graph.nodes.length ?? 0) > LARGE_GRAPH_NODES;
  const view = (): { x: number; y: number; zoom: number } =>
    fitted(
      arranged!.points,
      box.current!.clientWidth,
      box.current!.clientHeight,
      isLarge ? LARGE_GRAPH_MIN_ZOOM : 0,
    );

  const bringIntoView = (number: number): void => {
    const { id } = arranged!.graph.nodes[number]!;
    const [x, y] = [arranged!.points[2 * number]!, arranged!.points[2 * number + 1]!];
    const viewport = flow.current!.getViewport();
    const [left, top] = [x * viewport.zoom + viewport.x, y * viewport.zoom + viewport.y];
    const { clientWidth, clientHeight } = box.current!;
    if (
      left < 0 ||
      top < 0 ||
      left + NODE_WIDTH * viewport.zoom > clientWidth ||
      top + NODE_HEIGHT * viewport.zoom > clientHeight
    )
      void flow.current!.setCenter(x + NODE_WIDTH / 2, y + NODE_HEIGHT / 2, {
        zoom: viewport.zoom,
      });
    setStop(id);
  };
  const moveTo = (number: number): void => {
    bringIntoView(number);
    const { id } = arranged!.graph.nodes[number]!;
    const focus = (frames: number): void => {
      const element = acts.drawn.get(id);
      if (element) element.focus({ preventScroll: true });
      else if (frames > 0) requestAnimationFrame(() => focus(frames - 1));
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
    if (event.key === 'Enter' && onOpen && arranged!.graph.nodes[number]!.opens !== undefined) {
      event.preventDefault();
      return onOpen(node);
    }
    const next = walk(number, event.key);
    if (next === undefined && !event.key.startsWith('Arrow')) return undefined;
    // Prevent the page from scrolling when there is no next node.
    event.preventDefault();
    if (next !== undefined) moveTo(next);
    return undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the focused node
    <div ref={box} className="flow-canvas" onKeyDown={onKeyDown}>
      {failed ? (
        <p className="element-note" role="alert">
          {t.notLaid}
        </p>
      ) : null}
      {arranged && nodes && edges && width > 0 ? (
        <FlowActsContext value={acts}>
          <ReactFlow<DrawnNode, DrawnEdge>
            nodes={nodes}
            edges={edges}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            defaultViewport={view()}
            minZoom={isLarge ? LARGE_GRAPH_MIN_ZOOM : Math.min(MIN_ZOOM, view().zoom)}
            maxZoom={MAX_ZOOM}
            onlyRenderVisibleElements
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            zoomOnScroll={false}
            zoomOnPinch={isTouchDevice()}
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
            {nodes.length >= MINIMAP_NODES.least && nodes.length <= MINIMAP_NODES.most ? (
              <Overview
                chosen={chosen}
                points={arranged.points}
                onCentre={(x, y) =>
                  void flow.current!.setCenter(x, y, {
                    zoom: flow.current!.getZoom(),
                    ...motion(),
                  })
                }
              />
            ) : null}
          </ReactFlow>
        </FlowActsContext>
      ) : (
        <Loading />
      )}
      {arranged && arranged.graph.nodes.length >= SEARCH_NODES ? (
        <FlowSearch
          graph={arranged.graph}
          onFound={(number) => {
            bringIntoView(number);
            choose(arranged.graph.nodes[number]!.id);
          }}
        />
      ) : null}
      <ViewControls
        flow={flow}
        direction={direction}
        onDirection={chosen === undefined ? undefined : setDirection}
        onFit={() => arranged && void flow.current?.setViewport(view(), motion())}
      />
    </div>
  );
}

/** How much closer the view must be than one that shows the whole graph. */
const CLOSER = 1.02;

interface OverviewProps {
  chosen: string | undefined;
  points: Parameters<typeof fitted>[0];
  onCentre: (x: number, y: number) => void;
}

/** Overview of the graph, while a part of the graph is out of view. */
function Overview({ chosen, points, onCentre }: OverviewProps) {
  const isWhole = useStore(
    ({ transform: [, , zoom], width, height }) =>
      zoom <= fitted(points, width, height, 0).zoom * CLOSER,
  );
  if (isWhole) return null;
  return (
    <MiniMap
      pannable
      ariaLabel={t.minimap}
      nodeClassName={({ id }) => (id === chosen ? 'chosen' : '')}
      onClick={(_, { x, y }) => onCentre(x, y)}
    />
  );
}

type FlowRef = { current: ReactFlowInstance<DrawnNode, DrawnEdge> | null };

const directions = [
  ['upstream', ArrowLeftFromLine],
  ['downstream', ArrowRightFromLine],
] as const;

interface ViewControlsProps {
  flow: FlowRef;
  direction: Direction | undefined;
  /** Absent if no node is selected. */
  onDirection: ((direction: Direction | undefined) => void) | undefined;
  onFit: () => void;
}

/** Buttons that zoom and fit the view, and put the rest of the graph into the background. */
function ViewControls({ flow, direction, onDirection, onFit }: ViewControlsProps) {
  return (
    <div className="flow-nav" role="toolbar" aria-label={t.navigation} aria-orientation="vertical">
      <Button icon={ZoomIn} label={t.zoomIn} onClick={() => void flow.current?.zoomIn(motion())} />
      <Button
        icon={ZoomOut}
        label={t.zoomOut}
        onClick={() => void flow.current?.zoomOut(motion())}
      />
      <Button icon={Maximize} label={t.fit} onClick={onFit} />
      {directions.map(([each, icon]) => (
        <Button
          key={each}
          icon={icon}
          label={t[each]}
          aria-pressed={onDirection !== undefined && direction === each}
          disabledReason={onDirection ? undefined : t.noneChosen}
          onClick={() => onDirection?.(direction === each ? undefined : each)}
        />
      ))}
    </div>
  );
}

/** Exposes the library's view controls, which are available only inside its context. */
function Hold({ as }: { as: FlowRef }) {
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
