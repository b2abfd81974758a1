import type { WidgetData } from '@tiding/client/widgets';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { catalogueTexts } from '../../text/widgets/catalogue.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Facts, ObjectLink, RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { dottedName, sentences, titled } from '../sentences.ts';

const t = catalogueTexts;

type Named = { readonly name?: string | undefined; readonly description?: string | undefined };

/** Objects of a schema, by name. */
function Members({
  schemaName,
  title,
  widget,
  of,
}: {
  schemaName: string | undefined;
  title: string;
  widget: 'sink' | 'stream' | 'table';
  of: readonly Named[];
}) {
  return (
    <WidgetPart title={title} count={of.length}>
      <RecordTable
        label={title}
        rows={of.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))}
        columns={[
          {
            label: t.name,
            value: ({ name }) => name,
            cell: ({ name }) =>
              name ? (
                <ObjectLink widget={widget} name={dottedName(schemaName, name)}>
                  {name}
                </ObjectLink>
              ) : null,
          },
          { label: t.description, value: ({ description }) => description },
        ]}
      />
    </WidgetPart>
  );
}

/** Module of the `schema` widget: its tables, streams and sinks by name. */
export const schema: WidgetModule<WidgetData<'schema'>> = {
  describe: ({ schema: of }) => {
    const [what, n] = [titled('schema', of?.name), of?.tables.length ?? 0];
    return sentences(
      n === 1 ? fill(t.withTable, { what }) : fill(t.withTables, { what, n: formatInteger(n) }),
      of?.description,
    );
  },
  View: ({ data: { schema: of, lineage } }) => (
    <>
      <WidgetHead title={of?.name || widgetTexts.names['schema']} about={of?.description} />
      <Facts
        of={[
          [
            t.repository,
            of?.repositoryName && <ObjectLink widget="repository" name={of.repositoryName} />,
          ],
          [
            t.defaultDataSource,
            of?.defaultDataSourceName && (
              <ObjectLink widget="data-source" name={of.defaultDataSourceName} />
            ),
          ],
        ]}
      />
      <Members schemaName={of?.name} title={t.tables} widget="table" of={of?.tables ?? []} />
      {of && of.streams.length > 0 ? (
        <Members schemaName={of.name} title={t.streams} widget="stream" of={of.streams} />
      ) : null}
      {of && of.sinks.length > 0 ? (
        <Members schemaName={of.name} title={t.sinks} widget="sink" of={of.sinks} />
      ) : null}
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
