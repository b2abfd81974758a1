import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { catalogueTexts } from '../../text/widgets/catalogue.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, ObjectLink, StateBadge, WidgetHead } from '../parts.tsx';
import { dottedName, sentences, titled } from '../sentences.ts';
import { CatalogueFields, CodeText, catalogueSheets, fieldCount } from './parts.tsx';

const t = catalogueTexts;

export const stream: WidgetModule<WidgetData<'stream'>> = {
  sheets: catalogueSheets,
  describe: ({ stream: of }) => {
    const source = dottedName(of?.dataSourceName, of?.topic || of?.path);
    return sentences(
      fill(t.withFields, {
        what: titled('stream', dottedName(of?.schemaName, of?.name)),
        fields: fieldCount(of?.fields ?? []),
      }),
      of?.state && fill(t.stateIs, { state: of.state }),
      source && fill(t.from, { source }),
    );
  },
  View: ({ data: { stream: of, lineage } }) => (
    <>
      <WidgetHead
        title={of?.name || widgetTexts.names['stream']}
        about={of?.description}
        badge={<StateBadge state={of?.state} />}
      />
      <Facts
        of={[
          [t.schema, of?.schemaName && <ObjectLink widget="schema" name={of.schemaName} />],
          [
            t.dataSource,
            of?.dataSourceName && <ObjectLink widget="data-source" name={of.dataSourceName} />,
          ],
          [t.topic, of?.topic && <CodeText>{of.topic}</CodeText>],
          [t.path, of?.path && <CodeText>{of.path}</CodeText>],
        ]}
      />
      <CatalogueFields of={of?.fields ?? []} />
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};

export const sink: WidgetModule<WidgetData<'sink'>> = {
  describe: ({ sink: of }) => {
    const target = [of?.dataSourceName, of?.topic || of?.path].filter(Boolean).join(' ');
    return sentences(
      fill(t.is, { what: titled('sink', dottedName(of?.schemaName, of?.name)) }),
      of?.state && fill(t.stateIs, { state: of.state }),
      of?.sourceName && fill(t.from, { source: of.sourceName }),
      target && fill(t.to, { target }),
    );
  },
  View: ({ data: { sink: of, lineage } }) => (
    <>
      <WidgetHead
        title={of?.name || widgetTexts.names['sink']}
        about={of?.description}
        badge={<StateBadge state={of?.state} />}
      />
      <Facts
        of={[
          [t.schema, of?.schemaName && <ObjectLink widget="schema" name={of.schemaName} />],
          // A stream of the same schema is shown without the schema name.
          [
            t.source,
            of?.sourceName && (
              <ObjectLink
                widget="stream"
                name={
                  of.sourceName.includes('.')
                    ? of.sourceName
                    : dottedName(of.schemaName, of.sourceName)
                }
              >
                {of.sourceName}
              </ObjectLink>
            ),
          ],
          [
            t.dataSource,
            of?.dataSourceName && <ObjectLink widget="data-source" name={of.dataSourceName} />,
          ],
          [t.topic, of?.topic && <CodeText>{of.topic}</CodeText>],
          [t.path, of?.path && <CodeText>{of.path}</CodeText>],
        ]}
      />
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
