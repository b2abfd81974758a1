import { bagEntries, type WidgetData } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import { BagFacts } from '../bag-facts.tsx';
import type { WidgetModule } from '../contract.ts';
import { Facts, ObjectLink, WidgetHead, WidgetPart } from '../parts.tsx';
import { counted, sentences, titled } from '../words.ts';
import { PermissionTable } from './permission-table.tsx';

const t = text.widgets.security;

/** An organization: its default repository, what its clusters may be, and the rights on it. */
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
      <WidgetHead title={of?.name || text.widgets.names['organization']} about={of?.description} />
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
      {bagEntries(of?.clusterLimits).length > 0 ? (
        <WidgetPart title={t.clusterLimits}>
          <BagFacts of={of!.clusterLimits!} labels={t.limits} />
        </WidgetPart>
      ) : null}
      <WidgetPart title={t.permissions} count={permissions.length}>
        <PermissionTable permissions={permissions} />
      </WidgetPart>
    </>
  ),
};
