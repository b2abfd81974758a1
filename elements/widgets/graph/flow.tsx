/** A directed graph: drawn, and in words. */
import { useId, useMemo } from 'react';
import type { FlowGraph } from 'tiding/widgets';
import { lazyPart } from '../../runtime/lazy.tsx';
import { useSheets } from '../../runtime/use-sheets.ts';
import { fill, text } from '../../text/en.ts';
import { Icon } from '../../ui/button.tsx';
import type { FlowCanvasProps } from './flow-canvas.tsx';
import graphSheet from './graph.css';
import { kindIcon, kindText } from './kinds.ts';

const sheets = [graphSheet];
const t = text.widgets.graph;
/** Nodes of the list in words, and names after each. */
const MOST_NODES = 200;
const MOST_OTHERS = 20;
const Canvas = lazyPart<FlowCanvasProps>(() =>
  import('./flow-canvas.tsx').then(({ FlowCanvas }) => FlowCanvas),
);

export interface FlowProps
  extends Omit<FlowCanvasProps, 'describedBy' | 'chosen' | 'onChoose' | 'onOpen'> {
  /** Kinds that the legend explains; those that are there, where it is not said. */
  readonly kinds?: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onOpen?: (id: string) => void;
}

/** A graph of a given height, with its legend and its ways to look closer. Another `key` is another graph, and fitted anew. */
export function Flow({ graph, kinds, onOpen, ...rest }: FlowProps) {
  useSheets(sheets);
  const keys = useId();
  const shown = useMemo(
    () => kinds ?? [...new Set(graph.nodes.map(({ kind }) => kind))].sort(),
    [graph, kinds],
  );
  if (graph.nodes.length === 0) return <p className="dim flow-empty">{t.empty}</p>;
  return (
    <div className="flow" role="group" aria-label={rest.label}>
      <p id={keys} className="visually-hidden">
        {t.keys}
      </p>
      <Canvas graph={graph} onOpen={onOpen} describedBy={keys} {...rest} />
      <ul className="flow-legend" aria-label={t.legend}>
        {shown.map((kind) => (
          <li key={kind}>
            <Icon of={kindIcon(kind)} size="sm" />
            {kindText(kind, graph.nodes.find((node) => node.kind === kind)?.kindText)}
          </li>
        ))}
      </ul>
      <FlowOutline graph={graph} />
    </div>
  );
}

/** The graph for those who read instead of look. */
function FlowOutline({ graph: { nodes, edges } }: { graph: FlowGraph }) {
  const leads = useMemo(() => {
    const found = new Map<string, string[]>();
    const names = new Map(nodes.map(({ id, label }) => [id, label]));
    for (const { source, target } of edges)
      found.set(source, [
        ...(found.get(source)?.slice(0, MOST_OTHERS + 1) ?? []),
        names.get(target) ?? target,
      ]);
    return found;
  }, [nodes, edges]);
  return (
    <div className="visually-hidden">
      <ul aria-label={t.outline}>
        {nodes.slice(0, MOST_NODES).map(({ id, label, kind, kindText: written }) => {
          const others = leads.get(id) ?? [];
          return (
            <li key={id}>
              {fill(others.length > 0 ? t.leadsTo : t.leadsNowhere, {
                name: label,
                kind: kindText(kind, written),
                others: others.slice(0, MOST_OTHERS).join(', '),
              })}
            </li>
          );
        })}
      </ul>
      {nodes.length > MOST_NODES ? (
        <p>{fill(t.moreNodes, { n: nodes.length - MOST_NODES })}</p>
      ) : null}
    </div>
  );
}

/** Says which connections lead to what is not there. */
export function FlowMissing({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="flow-missing" dir="auto">
      {fill(t.missing, {
        names: `${names.slice(0, MOST_OTHERS).join(', ')}${names.length > MOST_OTHERS ? ` … +${names.length - MOST_OTHERS}` : ''}`,
      })}
    </p>
  );
}
