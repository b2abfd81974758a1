import { withoutSecrets, type WidgetData } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, WidgetHead } from '../parts.tsx';
import { sentences, titled } from '../words.ts';
import { Written } from './parts.tsx';

const t = text.widgets.catalogue;

/** Where data is. Of credentials their kind alone is shown, whatever came with the payload; addresses stand without passwords. */
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
      <WidgetHead title={of?.name || text.widgets.names['data-source']} about={of?.description} />
      <Facts
        of={[
          [t.sourceType, of?.sourceType],
          [t.hdfsType, of?.hdfsType],
          [t.databaseType, of?.databaseType],
          [t.host, of?.host && <Written>{withoutSecrets(of.host)}</Written>],
          [t.port, of?.port],
          [t.databaseName, of?.databaseName],
          [t.address, of?.url && <Written>{withoutSecrets(of.url)}</Written>],
          [t.rootPath, of?.rootPath && <Written>{of.rootPath}</Written>],
          [t.path, of?.path && <Written>{of.path}</Written>],
          [t.pathPrefix, of?.pathPrefix && <Written>{of.pathPrefix}</Written>],
          [t.defaultPath, of?.defaultPath && <Written>{of.defaultPath}</Written>],
          [t.userName, of?.userName],
          [t.credentials, of?.credentialType && fill(t.notShown, { type: of.credentialType })],
        ]}
      />
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
