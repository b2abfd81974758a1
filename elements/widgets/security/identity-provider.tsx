import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { Facts, ObjectLink, WidgetHead } from '../parts.tsx';
import { listed, sentences, titled } from '../sentences.ts';
import { WebLink } from '../web-link.tsx';

const t = securityTexts;

export const identityProvider: WidgetModule<WidgetData<'identity-provider'>> = {
  describe: ({ provider }) =>
    sentences(
      provider?.providerType
        ? fill(t.providerSummary, {
            what: titled('identity-provider', provider.name),
            type: provider.providerType,
          })
        : `${titled('identity-provider', provider?.name)}.`,
      provider &&
        provider.domains.length > 0 &&
        fill(t.providerFor, { domains: listed(provider.domains) }),
      provider?.isRequired && t.providerRequired,
    ),
  View: ({ data: { provider, organization } }) => (
    <>
      <WidgetHead title={provider?.name || widgetTexts.names['identity-provider']} />
      <Facts
        of={[
          [t.providerType, provider?.providerType],
          [t.domains, provider && provider.domains.length > 0 && listed(provider.domains)],
          [t.ssoUrl, provider?.ssoUrl && <WebLink address={provider.ssoUrl} />],
          [t.entityId, provider?.entityId],
          [
            t.required,
            provider?.isRequired === undefined ? undefined : provider.isRequired ? t.yes : t.no,
          ],
          [
            t.organization,
            organization?.name && <ObjectLink widget="organization" name={organization.name} />,
          ],
        ]}
      />
    </>
  ),
};
