import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, TimeText, timeText, WidgetHead } from '../parts.tsx';
import { sentences, titled } from '../sentences.ts';

const t = securityTexts;

/** Module of the `secret` widget. It never displays the value, even if the payload contains one. */
export const secret: WidgetModule<WidgetData<'secret'>> = {
  describe: ({ secret: of }) =>
    sentences(
      fill(t.secretSummary, { what: titled('secret', of?.name) }),
      of?.updatedAt !== undefined && fill(t.updatedAt, { time: timeText(of.updatedAt) }),
    ),
  View: ({ data: { secret: of, lineage } }) => (
    <>
      <WidgetHead title={of?.name || widgetTexts.names['secret']} about={of?.description} />
      <Facts
        of={[
          [t.created, of?.createdAt === undefined ? undefined : <TimeText at={of.createdAt} />],
          [t.updated, of?.updatedAt === undefined ? undefined : <TimeText at={of.updatedAt} />],
        ]}
      />
      <p className="dim">{t.valueHidden}</p>
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
