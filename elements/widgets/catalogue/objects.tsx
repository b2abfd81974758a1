/** Widgets of tables, schemas, repositories and data sources. */

import {
  defaultOf,
  type NamedObject,
  type WidgetData,
  type WidgetId,
  withoutSecrets,
} from '@tiding/client/widgets';
import { formatInteger } from '../../result/parts/numbers.ts';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { LineagePanel } from '../graph/lineage-panel.tsx';
import { NamesPart } from '../names.tsx';
import { ColourBadge, Facts, WidgetHead } from '../parts.tsx';
import { dottedName, sentences, titled } from '../sentences.ts';
import { CatalogueFields, catalogueSheets, codeOf, fieldCount } from './parts.tsx';
import { Persistence, storageText } from './persistence.tsx';
import { catalogueTexts as t } from './texts.ts';

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
        widget="table"
        of={of}
        badge={
          <>
            {of?.isTemporary ? <ColourBadge colour="info">{t.temporary}</ColourBadge> : null}
            {of?.isCached ? <ColourBadge colour="default">{t.cached}</ColourBadge> : null}
          </>
        }
      />
      <Facts of={[[t.schema, of?.schemaName, 'schema']]} />
      <CatalogueFields of={of?.fields ?? []} />
      {of?.persistenceMapping ? <Persistence of={of.persistenceMapping} /> : null}
      <LineagePanel lineage={lineage} />
    </>
  ),
};

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
      <WidgetHead widget="schema" of={of} />
      <Facts
        of={[
          [t.repository, of?.repositoryName, 'repository'],
          [t.defaultDataSource, of?.defaultDataSourceName, 'data-source'],
        ]}
      />
      {(
        [
          [t.tables, 'table', of?.tables ?? []],
          [t.streams, 'stream', of?.streams ?? []],
          [t.sinks, 'sink', of?.sinks ?? []],
        ] as const
      ).map(([title, widget, members]) =>
        widget === 'table' || members.length > 0 ? (
          <NamesPart
            key={widget}
            title={title}
            widget={widget}
            of={members}
            texts={t}
            to={({ name }) => dottedName(of?.name, name)}
          />
        ) : null,
      )}
      <LineagePanel lineage={lineage} />
    </>
  ),
};

type Repository = NonNullable<WidgetData<'repository'>['repository']>;

/** Returns the three kinds of entries of a repository: their names, contents and defaults. */
function kindsOf(of: Repository) {
  type Id = string | number | undefined;
  const kind = <Held extends NamedObject>(
    [widget, title, label]: readonly [WidgetId, string, string],
    held: readonly Held[],
    idOf: (each: Held) => Id,
    id: Id,
  ) => ({ widget, title, label, held, chosen: defaultOf(held, idOf, id) });
  const { dataSources, projects, schemas } = of;
  return [
    kind(
      ['data-source', t.dataSources, t.defaultDataSource],
      dataSources,
      (each) => each.dataSourceId,
      of.defaultDataSourceId,
    ),
    kind(
      ['project', t.projects, t.defaultProject],
      projects,
      (each) => each.projectId,
      of.defaultProjectId,
    ),
    kind(
      ['schema', t.schemas, t.defaultSchema],
      schemas,
      (each) => each.schemaId,
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
        <WidgetHead widget="repository" of={of} />
        <Facts
          of={kinds.map(({ widget, label, chosen }) => [
            label,
            chosen?.name,
            chosen?.known ? widget : undefined,
          ])}
        />
        {kinds.map(({ widget, title, held, chosen }) => (
          <NamesPart
            key={widget}
            widget={widget}
            title={title}
            of={held}
            texts={t}
            mark={({ name }) =>
              chosen?.known && name === chosen.name ? (
                <>
                  {' '}
                  <ColourBadge colour="default">{t.isDefault}</ColourBadge>
                </>
              ) : null
            }
          />
        ))}
        <LineagePanel lineage={lineage} />
      </>
    );
  },
};

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
      <WidgetHead widget="data-source" of={of} />
      <Facts
        of={[
          [t.sourceType, of?.sourceType],
          [t.hdfsType, of?.hdfsType],
          [t.databaseType, of?.databaseType],
          [t.host, of?.host && codeOf(withoutSecrets(of.host))],
          [t.port, of?.port],
          [t.databaseName, of?.databaseName],
          [t.address, of?.url && codeOf(withoutSecrets(of.url))],
          [t.rootPath, codeOf(of?.rootPath)],
          [t.path, codeOf(of?.path)],
          [t.pathPrefix, codeOf(of?.pathPrefix)],
          [t.defaultPath, codeOf(of?.defaultPath)],
          [t.userName, of?.userName],
          [t.passwordSecret, of?.passwordSecret],
          [t.credentials, of?.credentialType && fill(t.notShown, { type: of.credentialType })],
        ]}
      />
      <LineagePanel lineage={lineage} />
    </>
  ),
};
