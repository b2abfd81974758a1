/** The `lineage` member of payloads, and `describe lineage`. */
import type { Lineage, PayloadOf } from '@tiding/client/widgets';
import type { Item } from '../../catalogue/state.ts';
import type { RunStatement, StatementContext } from '../context.ts';
import { resolveTarget, typeName } from '../resolve-and-record.ts';

/** The lineage of an object. Undefined if the user may not see it. */
export function lineageOf(context: StatementContext, item: Item): PayloadOf<Lineage> | undefined {
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

/**
 * All tables and files that a table was made from, and all tables made from it, directly and
 * indirectly.
 */
function graphOf(
  { catalogue }: StatementContext,
  item: Item,
): PayloadOf<NonNullable<Lineage['lineageGraph']>> {
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
    rootNodeId: own,
  };
}

export const describeLineage: RunStatement<'describeLineage'> = async (context, { target }) => {
  const item = resolveTarget(context, target, 'Lineage');
  context.emit.widget('lineage', { lineage: lineageOf(context, item) });
};
