import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { Facts, TimeText, WidgetHead } from '../parts.tsx';
import { counted, titled } from '../sentences.ts';
import { NamesPart } from './names.tsx';

const t = securityTexts;

/** Module of the `customer` widget: its organizations by name. */
export const customer: WidgetModule<WidgetData<'customer'>> = {
  describe: ({ customer: of, organizations }) =>
    fill(t.customerSummary, {
      what: titled('customer', of?.name),
      organizations: counted(organizations.length, t.counts.organizations),
    }),
  View: ({ data: { customer: of, organizations } }) => (
    <>
      <WidgetHead title={of?.name || widgetTexts.names['customer']} />
      <Facts
        of={[[t.created, of?.createdAt === undefined ? undefined : <TimeText at={of.createdAt} />]]}
      />
      <NamesPart title={t.organizations} widget="organization" of={organizations} />
    </>
  ),
};
