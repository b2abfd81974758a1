/** What objects were made of: `lineage` of payloads, and `describe lineage`. */
import { widgetOfObject } from 'tiding/widgets';
import type { Item } from '../catalogue/state.ts';
import type { StatementOf } from '../language/statements.ts';
import type { Context } from './context.ts';
import { needTarget, typeName } from './uses.ts';

/** The lineage of an object; undefined where its user may not see it. */
export function lineageOf(context: Context, item: Item): object | undefined {
  const { catalogue, who } = context;
  if (!catalogue.may(item, who, 'Lineage')) return undefined;
  return {
    createAction: {
      actionType: 'Create',
      userName: item.createdBy,
      actionTime: item.createdAt,
      state: 'Succeeded',
    },
    lineageGraph: graphOf(context, item),
  };
}

/** The tables and files that a table was made of, and the tables made of it, however far. */
function graphOf(
  { catalogue }: Context,
  item: Item,
): { nodes: object[]; edges: { source: string; target: string }[] } {
  const repository = catalogue.holder(item, 'repository');
  const tables = catalogue.state.items.filter(
    (each) => each.sources && catalogue.holder(each, 'repository')?.id === repository?.id,
  );
  const edges = tables.flatMap((table) =>
    table.sources!.map((source) => ({ source, target: catalogue.nameOf(table) })),
  );
  const own = catalogue.nameOf(item);
  const reach = (from: 'source' | 'target', to: 'source' | 'target') => {
    const seen = new Set([own]);
    const chosen = new Set<(typeof edges)[number]>();
    for (const name of seen) {
      for (const edge of edges) {
        if (edge[from].toLowerCase() !== name.toLowerCase() || chosen.has(edge)) continue;
        chosen.add(edge);
        seen.add(edge[to]);
      }
    }
    return [...chosen];
  };
  const chosen = [...new Set([...reach('target', 'source'), ...reach('source', 'target')])];
  const names = [...new Set([own, ...chosen.flatMap(({ source, target }) => [source, target])])];
  const isTable = (name: string) =>
    catalogue.state.items.some(
      (each) =>
        each.type === 'table' && catalogue.nameOf(each).toLowerCase() === name.toLowerCase(),
    );
  return {
    nodes: names.map((name) => ({
      id: name,
      label: name,
      objectType: name === own ? typeName(item.type) : isTable(name) ? 'Table' : 'DataSource',
    })),
    edges: chosen,
  };
}

const keys: Partial<Record<Item['type'], string>> = {
  'data source': 'dataSource',
  'validation suite': 'validationSuite',
};

/** Carries out `describe lineage`. */
export async function describeLineage(
  context: Context,
  { target }: StatementOf<'describeLineage'>,
): Promise<void> {
  const item = needTarget(context, target, 'Lineage');
  // Each type of a target has its widget.
  context.emit.widget(widgetOfObject(item.type)!, {
    [keys[item.type] ?? item.type]: { name: item.name },
    lineage: lineageOf(context, item),
  });
}
