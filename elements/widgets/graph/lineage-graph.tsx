/** Graph of data sets and the flow between them. */

import {
  FIXED_FROM_EDGES,
  type FlowNode,
  type Lineage,
  lineageFlow,
  widgetIds,
} from '@tiding/client/widgets';
import { useContext, useMemo, useState } from 'react';
import { emitEvent } from '../../runtime/define-element.ts';
import { HostContext } from '../../runtime/hooks.ts';
import { fill } from '../../text/fill.ts';
import type { OpenObject } from '../contract.ts';
import { ObjectLink } from '../parts.tsx';
import { counted } from '../sentences.ts';
import { Flow, FlowMissing } from './flow.tsx';
import { kindText } from './node-types.ts';
import { graphTexts as t } from './texts.ts';

/** The widget for a data set, or `note` for a note. */
function widgetOf({ kindText: written }: FlowNode): OpenObject['widget'] | undefined {
  const id = written.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return id === 'note' ? id : widgetIds.find((each) => each === id);
}

/** The lineage graph. The selected data set is shown below it, with a link. */
export function LineageGraph({ graph }: { graph: NonNullable<Lineage['lineageGraph']> }) {
  const host = useContext(HostContext);
  const flow = useMemo(() => lineageFlow(graph), [graph]);
  const [chosen, setChosen] = useState<string>();
  const node = flow.nodes.find(({ id }) => id === chosen);
  const widget = node && widgetOf(node);
  const choose = (id: string | undefined): void => {
    setChosen(id);
    const found = flow.nodes.find((each) => each.id === id);
    if (host)
      emitEvent(
        host,
        'tiding-select',
        found ? { values: { id: found.id, objectType: found.kindText }, label: found.label } : null,
      );
  };
  return (
    <div className="flow-card">
      <Flow
        graph={flow}
        label={fill(t.flowOf, {
          nodes: counted(flow.nodes.length, t.dataSets),
          edges: counted(flow.edges.length, t.connections),
        })}
        fixed={flow.edges.length >= FIXED_FROM_EDGES}
        chosen={node?.id}
        onChoose={choose}
      />
      {node ? (
        <p className="flow-chosen" dir="auto">
          <span className="dim">{kindText(node.kind, node.kindText)}</span>{' '}
          {widget ? (
            <ObjectLink widget={widget} name={node.id}>
              {node.label}
            </ObjectLink>
          ) : (
            <b>{node.label}</b>
          )}
        </p>
      ) : null}
      <FlowMissing names={flow.missing} />
    </div>
  );
}
