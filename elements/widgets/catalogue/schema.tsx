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

/** Module of the `schema` widget: its tables by name. */
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
      <WidgetPart title={t.tables} count={of?.tables.length ?? 0}>
        <RecordTable
          label={t.tables}
          rows={[...(of?.tables ?? [])].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))}
          columns={[
            {
              label: t.name,
              value: ({ name }) => name,
              cell: ({ name }) =>
                name ? (
                  <ObjectLink widget="table" name={dottedName(of?.name, name)}>
                    {name}
                  </ObjectLink>
                ) : null,
            },
            { label: t.description, value: ({ description }) => description },
          ]}
        />
      </WidgetPart>
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
