import { labelledEntries, type WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { securityTexts } from '../../text/widgets/security.ts';
import type { WidgetModule } from '../contract.ts';
import { ObjectFacts } from '../object-facts.tsx';
import { Facts, ObjectLink, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, sentences, titled } from '../sentences.ts';
import { PermissionTable } from './permission-table.tsx';

const t = securityTexts;

/** Module of the `organization` widget: default repository, cluster limits and permissions. */
export const organization: WidgetModule<WidgetData<'organization'>> = {
  describe: ({ organization: of, defaultRepository, permissions }) =>
    sentences(
      fill(t.organizationSummary, {
        what: titled('organization', of?.name),
        permissions: counted(permissions.length, t.counts.permissions),
      }),
      defaultRepository?.name && fill(t.repositoryIs, { name: defaultRepository.name }),
    ),
  View: ({ data: { organization: of, defaultRepository, permissions } }) => (
    <>
      <WidgetHead title={of?.name || widgetTexts.names['organization']} about={of?.description} />
      <Facts
        of={[
          [
            t.defaultRepository,
            defaultRepository?.name && (
              <ObjectLink widget="repository" name={defaultRepository.name} />
            ),
          ],
        ]}
      />
      {labelledEntries(of?.clusterLimits).length > 0 ? (
        <WidgetPart title={t.clusterLimits}>
          <ObjectFacts of={of!.clusterLimits!} labels={t.limits} />
        </WidgetPart>
      ) : null}
      <WidgetPart title={t.permissions} count={permissions.length}>
        <PermissionTable permissions={permissions} />
      </WidgetPart>
    </>
  ),
};
