import {
  type DefaultName,
  defaultOf,
  type WidgetData,
  type WidgetId,
} from '@tiding/client/widgets';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import { catalogueTexts } from '../../text/widgets/catalogue.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { ColourBadge, Facts, ObjectLink, RecordTable, WidgetHead, WidgetPart } from '../parts.tsx';
import { sentences, titled } from '../sentences.ts';

const t = catalogueTexts;
type Repository = NonNullable<WidgetData<'repository'>['repository']>;

/** An entry of a repository's lists. */
interface Held {
  readonly id: string | number | undefined;
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/** Returns the three kinds of entries of a repository: their names, contents and defaults. */
function kindsOf(of: Repository): readonly {
  readonly widget: WidgetId;
  readonly title: string;
  readonly label: string;
  readonly held: readonly Held[];
  readonly chosen: DefaultName | undefined;
}[] {
  const kind = (
    widget: WidgetId,
    title: string,
    label: string,
    held: readonly Held[],
    id: string | number | undefined,
  ) => ({ widget, title, label, held, chosen: defaultOf(held, (each) => each.id, id) });
  const about = ({
    name,
    description,
  }: {
    name?: string | undefined;
    description?: string | undefined;
  }) => ({ name, description });
  return [
    kind(
      'data-source',
      t.dataSources,
      t.defaultDataSource,
      of.dataSources.map((each) => ({ id: each.dataSourceId, ...about(each) })),
      of.defaultDataSourceId,
    ),
    kind(
      'project',
      t.projects,
      t.defaultProject,
      of.projects.map((each) => ({ id: each.projectId, ...about(each) })),
      of.defaultProjectId,
    ),
    kind(
      'schema',
      t.schemas,
      t.defaultSchema,
      of.schemas.map((each) => ({ id: each.schemaId, ...about(each) })),
      of.defaultSchemaId,
    ),
  ];
}

/** Module of the `repository` widget: its defaults and contents. */
export const repositoryWidget: WidgetModule<WidgetData<'repository'>> = {
  describe: ({ repository: of }) => {
    const what = titled('repository', of?.name);
    if (!of) return fill(t.is, { what });
    const chosen = kindsOf(of).flatMap(({ label, chosen: { name } = { name: '' } }) =>
      name ? [`${label} ${name}`] : [],
    );
    return sentences(
      fill(t.repositoryHas, {
        what,
        dataSources: formatInteger(of.dataSources.length),
        projects: formatInteger(of.projects.length),
        schemas: formatInteger(of.schemas.length),
      }),
      chosen.length > 0 && fill(t.defaultsAre, { names: chosen.join(', ') }),
    );
  },
  View: ({ data: { repository: of, lineage } }) => {
    const kinds = of ? kindsOf(of) : [];
    return (
      <>
        <WidgetHead title={of?.name || widgetTexts.names['repository']} about={of?.description} />
        <Facts
          of={kinds.map(({ widget, label, chosen }) => [
            label,
            chosen &&
              (chosen.known ? <ObjectLink widget={widget} name={chosen.name} /> : chosen.name),
          ])}
        />
        {kinds.map(({ widget, title, held, chosen }) => (
          <Held
            key={widget}
            widget={widget}
            title={title}
            of={held}
            chosen={chosen?.known ? chosen.name : undefined}
          />
        ))}
        {lineage ? <LineagePanel lineage={lineage} /> : null}
      </>
    );
  },
};

function Held({
  widget,
  title,
  of,
  chosen,
}: {
  widget: WidgetId;
  title: string;
  of: readonly Held[];
  chosen: string | undefined;
}) {
  return (
    <WidgetPart title={title} count={of.length}>
      <RecordTable
        label={title}
        rows={[...of].sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))}
        columns={[
          {
            label: t.name,
            value: ({ name }) => name,
            cell: ({ name }) => (
              <>
                <ObjectLink widget={widget} name={name} />
                {chosen !== undefined && name === chosen ? (
                  <>
                    {' '}
                    <ColourBadge colour="default">{t.isDefault}</ColourBadge>
                  </>
                ) : null}
              </>
            ),
          },
          { label: t.description, value: ({ description }) => description },
        ]}
      />
    </WidgetPart>
  );
}
