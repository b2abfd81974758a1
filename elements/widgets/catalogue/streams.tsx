import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, ObjectLink, WidgetHead } from '../parts.tsx';
import { dottedName, sentences, titled } from '../sentences.ts';
import { CatalogueFields, catalogueSheets, codeOf, fieldCount } from './parts.tsx';
import { catalogueTexts as t } from './texts.ts';

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
      <WidgetHead widget="stream" of={of} state={of?.state} />
      <Facts
        of={[
          [t.schema, of?.schemaName, 'schema'],
          [t.dataSource, of?.dataSourceName, 'data-source'],
          [t.topic, codeOf(of?.topic)],
          [t.path, codeOf(of?.path)],
        ]}
      />
      <CatalogueFields of={of?.fields ?? []} />
      <LineagePanel lineage={lineage} />
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
  View: ({ data: { sink: of, lineage } }) => {
    const source = of?.sourceName;
    // A stream of the same schema is shown without the schema name.
    const stream = source?.includes('.') ? source : dottedName(of?.schemaName, source);
    return (
      <>
        <WidgetHead widget="sink" of={of} state={of?.state} />
        <Facts
          of={[
            [t.schema, of?.schemaName, 'schema'],
            [
              t.source,
              source && (
                <ObjectLink widget="stream" name={stream}>
                  {source}
                </ObjectLink>
              ),
            ],
            [t.dataSource, of?.dataSourceName, 'data-source'],
            [t.topic, codeOf(of?.topic)],
            [t.path, codeOf(of?.path)],
          ]}
        />
        <LineagePanel lineage={lineage} />
      </>
    );
  },
};
