/** A lineage on its own. */
import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { LineageBody } from '../graph/lineage-panel.tsx';
import { graphTexts as t } from '../graph/texts.ts';
import { timeText, WidgetHead } from '../parts.tsx';
import { counted } from '../sentences.ts';

export const lineageWidget: WidgetModule<WidgetData<'lineage'>> = {
  describe: ({ lineage: of }) => {
    if (!of) return t.notMade;
    const { createAction: made, lineageGraph: graph } = of;
    const action = made
      ? fill(t.madeBy, {
          action: made.actionType ?? '',
          user: made.userName ?? '',
          time: timeText(made.actionTime),
        })
      : '';
    return fill(t.lineageSummary, {
      action,
      nodes: counted(graph?.nodes.length ?? 0, t.dataSets),
      edges: counted(graph?.edges.length ?? 0, t.connections),
    });
  },
  View: ({ data: { lineage: of } }) => (
    <>
      <WidgetHead title={t.lineage} />
      {of ? <LineageBody lineage={of} /> : <p className="dim">{t.notMade}</p>}
    </>
  ),
};
