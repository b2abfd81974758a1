import { type WidgetData, withoutSecrets } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { catalogueTexts } from '../../text/widgets/catalogue.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, WidgetHead } from '../parts.tsx';
import { sentences, titled } from '../sentences.ts';
import { CodeText } from './parts.tsx';

const t = catalogueTexts;

/**
 * Module of the `data-source` widget. Of credentials it displays only their type, whatever the
 * payload contains; passwords are removed from addresses.
 */
export const dataSource: WidgetModule<WidgetData<'data-source'>> = {
  describe: ({ dataSource: of }) => {
    const what = titled('data-source', of?.name);
    const type = of?.hdfsType || of?.databaseType || of?.sourceType;
    return sentences(
      type ? fill(t.isOfType, { what, type }) : fill(t.is, { what }),
      of?.description,
    );
  },
  View: ({ data: { dataSource: of, lineage } }) => (
    <>
      <WidgetHead title={of?.name || widgetTexts.names['data-source']} about={of?.description} />
      <Facts
        of={[
          [t.sourceType, of?.sourceType],
          [t.hdfsType, of?.hdfsType],
          [t.databaseType, of?.databaseType],
          [t.host, of?.host && <CodeText>{withoutSecrets(of.host)}</CodeText>],
          [t.port, of?.port],
          [t.databaseName, of?.databaseName],
          [t.address, of?.url && <CodeText>{withoutSecrets(of.url)}</CodeText>],
          [t.rootPath, of?.rootPath && <CodeText>{of.rootPath}</CodeText>],
          [t.path, of?.path && <CodeText>{of.path}</CodeText>],
          [t.pathPrefix, of?.pathPrefix && <CodeText>{of.pathPrefix}</CodeText>],
          [t.defaultPath, of?.defaultPath && <CodeText>{of.defaultPath}</CodeText>],
          [t.userName, of?.userName],
          [t.passwordSecret, of?.passwordSecret],
          [t.credentials, of?.credentialType && fill(t.notShown, { type: of.credentialType })],
        ]}
      />
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
