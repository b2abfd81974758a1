/** A directed graph, as a drawing and as a text outline. */

import type { FlowGraph } from '@tiding/client/widgets';
import { useId, useMemo } from 'react';
import { useSheets } from '../../runtime/use-sheets.ts';
import { fill } from '../../text/fill.ts';
import { Icon } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy.tsx';
import type { FlowCanvasProps } from './flow-canvas.tsx';
import graphSheet from './graph.css';
import { kindIcon, kindText } from './node-types.ts';
import { graphTexts as t } from './texts.ts';

const sheets = [graphSheet];
/** Maximum number of nodes in the outline, and of names listed per node. */
const MAX_OUTLINE_NODES = 200;
const MAX_OUTLINE_SUCCESSORS = 20;
const Canvas = lazyPart<FlowCanvasProps>(
  async () => (await import('./flow-canvas.tsx')).FlowCanvas,
);

interface FlowProps
  extends Omit<FlowCanvasProps, 'describedBy' | 'chosen' | 'onChoose' | 'onOpen'> {
  /** Node types the legend explains; default: those in the graph. */
  readonly kinds?: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onOpen?: (id: string) => void;
}

/**
 * A graph of fixed height with legend and zoom buttons. Change the `key` for another graph, so that
 * the view is fitted again.
 */
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

/** Text outline of the graph, for screen readers. */
function FlowOutline({ graph: { nodes, edges } }: { graph: FlowGraph }) {
  const leads = useMemo(() => {
    const found = new Map<string, string[]>();
    const names = new Map(nodes.map(({ id, label }) => [id, label]));
    for (const { source, target } of edges)
      found.set(source, [
        ...(found.get(source)?.slice(0, MAX_OUTLINE_SUCCESSORS + 1) ?? []),
        names.get(target) ?? target,
      ]);
    return found;
  }, [nodes, edges]);
  return (
    <div className="visually-hidden">
      <ul aria-label={t.outline}>
        {nodes.slice(0, MAX_OUTLINE_NODES).map(({ id, label, kind, kindText: written }) => {
          const others = leads.get(id) ?? [];
          return (
            <li key={id}>
              {fill(others.length > 0 ? t.leadsTo : t.leadsNowhere, {
                name: label,
                kind: kindText(kind, written),
                others: others.slice(0, MAX_OUTLINE_SUCCESSORS).join(', '),
              })}
            </li>
          );
        })}
      </ul>
      {nodes.length > MAX_OUTLINE_NODES ? (
        <p>{fill(t.moreNodes, { n: nodes.length - MAX_OUTLINE_NODES })}</p>
      ) : null}
    </div>
  );
}

/** Lists connections to nodes that don't exist. */
export function FlowMissing({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="flow-missing" dir="auto">
      {fill(t.missing, {
        names:
          names.slice(0, MAX_OUTLINE_SUCCESSORS).join(', ') +
          (names.length > MAX_OUTLINE_SUCCESSORS
            ? ` … +${names.length - MAX_OUTLINE_SUCCESSORS}`
            : ''),
      })}
    </p>
  );
}
