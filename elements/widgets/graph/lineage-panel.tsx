/** Where an object comes from, below the object: who made it, when and by what, and the data sets it is made of. */
import type { Lineage } from 'tiding/widgets';
import { lazyPart } from '../../runtime/lazy.tsx';
import { text } from '../../text/en.ts';
import { Facts, ObjectLink, StateBadge, WidgetPart, When } from '../parts.tsx';

const t = text.widgets.graph;
/** Its code, and that of the library that draws, comes when a graph is there. */
const LineageGraph = lazyPart(() =>
  import('./lineage-graph.tsx').then(({ LineageGraph: View }) => View),
);

/** Who made an object, when and from what; nothing where its reader may not know. */
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
  // One thing alone came from nowhere.
  const drawn = graph && (graph.nodes.length > 1 || graph.edges.length > 0);
  if (!made && !drawn) return <p className="dim">{t.notMade}</p>;
  return (
    <>
      {made ? (
        <Facts
          of={[
            [t.action, made.actionType],
            [t.by, made.userName && <ObjectLink widget="user" name={made.userName} />],
            [t.when, made.actionTime === undefined ? undefined : <When at={made.actionTime} />],
            [
              t.job,
              made.jobName && (
                <ObjectLink
                  widget="job"
                  name={[made.projectName, made.jobName].filter(Boolean).join('.')}
                />
              ),
            ],
            [t.state, made.state && <StateBadge state={made.state} />],
          ]}
        />
      ) : null}
      {drawn ? <LineageGraph graph={graph} /> : null}
    </>
  );
}
