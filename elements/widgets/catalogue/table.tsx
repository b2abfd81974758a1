import type { WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { catalogueTexts } from '../../text/widgets/catalogue.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { ColourBadge, Facts, ObjectLink, WidgetHead } from '../parts.tsx';
import { dottedName, sentences, titled } from '../sentences.ts';
import { CatalogueFields, catalogueSheets, fieldCount } from './parts.tsx';
import { Persistence, storageText } from './persistence.tsx';

const t = catalogueTexts;

/** Module of the `table` widget: its fields, persistence mapping and lineage. */
export const table: WidgetModule<WidgetData<'table'>> = {
  sheets: catalogueSheets,
  describe: ({ table: of }) => {
    const where = of?.persistenceMapping && storageText(of.persistenceMapping);
    return sentences(
      fill(t.withFields, {
        what: titled('table', dottedName(of?.schemaName, of?.name)),
        fields: fieldCount(of?.fields ?? []),
      }),
      of?.description,
      where && fill(t.rowsFrom, { where }),
    );
  },
  View: ({ data: { table: of, lineage } }) => (
    <>
      <WidgetHead
        title={of?.name || widgetTexts.names['table']}
        about={of?.description}
        badge={
          <>
            {of?.isTemporary ? <ColourBadge colour="info">{t.temporary}</ColourBadge> : null}
            {of?.isCached ? <ColourBadge colour="default">{t.cached}</ColourBadge> : null}
          </>
        }
      />
      <Facts
        of={[[t.schema, of?.schemaName && <ObjectLink widget="schema" name={of.schemaName} />]]}
      />
      <CatalogueFields of={of?.fields ?? []} />
      {of?.persistenceMapping ? <Persistence of={of.persistenceMapping} /> : null}
      {lineage ? <LineagePanel lineage={lineage} /> : null}
    </>
  ),
};
