import type { WidgetData } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, ObjectLink, StateBadge, WidgetHead } from '../parts.tsx';
import { dotted, sentences, titled } from '../words.ts';
import { catalogueSheets, fieldCount, Fields, Written } from './parts.tsx';

const t = text.widgets.catalogue;

/** Rows that go on coming: from where, and with which fields. */
export const stream: WidgetModule<WidgetData<'stream'>> = {
  sheets: catalogueSheets,
  describe: ({ stream: of }) => {
    const source = dotted(of?.dataSourceName, of?.topic || of?.path);
    return sentences(
      fill(t.withFields, {
        what: titled('stream', dotted(of?.schemaName, of?.name)),
        fields: fieldCount(of?.fields ?? []),
      }),
      of?.state && fill(t.stateIs, { state: of.state }),
      source && fill(t.from, { source }),
    );
  },
  View: ({ data: { stream: of, lineage } }) => (
    <>
      <WidgetHead
        title={of?.name || text.widgets.names['stream']}
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
          [t.topic, of?.topic && <Written>{of.topic}</Written>],
          [t.path, of?.path && <Written>{of.path}</Written>],
        ]}
      />
      <Fields of={of?.fields ?? []} />
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};

/** Where the rows of a stream go. */
export const sink: WidgetModule<WidgetData<'sink'>> = {
  describe: ({ sink: of }) => {
    const target = [of?.dataSourceName, of?.topic || of?.path].filter(Boolean).join(' ');
    return sentences(
      fill(t.is, { what: titled('sink', dotted(of?.schemaName, of?.name)) }),
      of?.state && fill(t.stateIs, { state: of.state }),
      of?.sourceName && fill(t.from, { source: of.sourceName }),
      target && fill(t.to, { target }),
    );
  },
  View: ({ data: { sink: of, lineage } }) => (
    <>
      <WidgetHead
        title={of?.name || text.widgets.names['sink']}
        about={of?.description}
        badge={<StateBadge state={of?.state} />}
      />
      <Facts
        of={[
          [t.schema, of?.schemaName && <ObjectLink widget="schema" name={of.schemaName} />],
          // A stream of the same schema is named without it.
          [
            t.source,
            of?.sourceName && (
              <ObjectLink
                widget="stream"
                name={
                  of.sourceName.includes('.') ? of.sourceName : dotted(of.schemaName, of.sourceName)
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
          [t.topic, of?.topic && <Written>{of.topic}</Written>],
          [t.path, of?.path && <Written>{of.path}</Written>],
        ]}
      />
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
