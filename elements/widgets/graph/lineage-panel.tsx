/**
 * Lineage of an object, shown below it: who created it, when and from what, with the graph of data
 * sets.
 */
import type { Lineage } from '@tiding/client/widgets';
import { lazyPart } from '../../ui/lazy.tsx';
import { Facts, moment, StateBadge, WidgetPart } from '../parts.tsx';
import { dottedName } from '../sentences.ts';
import { graphTexts as t } from './texts.ts';

/** Its code and the graph library are loaded only when there is a graph. */
const LineageGraph = lazyPart(async () => (await import('./lineage-graph.tsx')).LineageGraph);

/** Who created an object, when and from what. Renders nothing if the user may not see lineage. */
export function LineagePanel({ lineage }: { lineage: Lineage | null | undefined }) {
  if (!lineage) return null;
  return (
    <WidgetPart title={t.lineage}>
      <LineageBody lineage={lineage} />
    </WidgetPart>
  );
}

/** The same without a heading. */
export function LineageBody({
  lineage: { createAction: made, lineageGraph: graph },
}: {
  lineage: Lineage;
}) {
  // A single node without connections shows no origin.
  const drawn = graph && (graph.nodes.length > 1 || graph.edges.length > 0);
  if (!made && !drawn) return <p className="dim">{t.notMade}</p>;
  return (
    <>
      {made ? (
        <Facts
          of={[
            [t.action, made.actionType],
            [t.by, made.userName, 'user'],
            [t.when, moment(made.actionTime)],
            [t.job, made.jobName && dottedName(made.projectName, made.jobName), 'job'],
            [t.state, made.state && <StateBadge state={made.state} />],
          ]}
        />
      ) : null}
      {drawn ? <LineageGraph graph={graph} /> : null}
    </>
  );
}
