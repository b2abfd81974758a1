import type { WidgetData } from 'tiding/widgets';
import { fill, text } from '../../text/en.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { Badge, Facts, ObjectLink, WidgetHead } from '../parts.tsx';
import { dotted, sentences, titled } from '../words.ts';
import { catalogueSheets, fieldCount, Fields } from './parts.tsx';
import { Persistence, whereRows } from './persistence.tsx';

const t = text.widgets.catalogue;

/** A table: its fields with their types, where its rows are, and where it comes from. */
export const table: WidgetModule<WidgetData<'table'>> = {
  sheets: catalogueSheets,
  describe: ({ table: of }) => {
    const where = of?.persistenceMapping && whereRows(of.persistenceMapping);
    return sentences(
      fill(t.withFields, {
        what: titled('table', dotted(of?.schemaName, of?.name)),
        fields: fieldCount(of?.fields ?? []),
      }),
      of?.description,
      where && fill(t.rowsFrom, { where }),
    );
  },
  View: ({ data: { table: of, lineage } }) => (
    <>
      <WidgetHead
        title={of?.name || text.widgets.names['table']}
        about={of?.description}
        badge={
          <>
            {of?.isTemporary ? <Badge colour="info">{t.temporary}</Badge> : null}
            {of?.isCached ? <Badge colour="default">{t.cached}</Badge> : null}
          </>
        }
      />
      <Facts
        of={[[t.schema, of?.schemaName && <ObjectLink widget="schema" name={of.schemaName} />]]}
      />
      <Fields of={of?.fields ?? []} />
      {of?.persistenceMapping ? <Persistence of={of.persistenceMapping} /> : null}
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
