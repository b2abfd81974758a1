import type { DatabaseRelation } from '@tiding/client/protocol';
import { same } from '../result/test-support.tsx';
import { relationKey, schemaKey, schemaRows } from './schema-rows.ts';

const relation = (schema: string, name: string, ...columns: string[]): DatabaseRelation => ({
  schema,
  name,
  reference: name,
  kind: 'table',
  columns: columns.map((column) => ({ name: column, type: 'text', nullable: true })),
});
const relations = [
  relation('public', 'orders', 'id', 'customer'),
  relation('public', 'ages', 'id'),
  relation('archive', 'old', 'id'),
];
const shown = (term: string, toggled: readonly string[] = []) =>
  schemaRows(relations, term, new Set(toggled)).map((row) => {
    const name =
      row.kind === 'column'
        ? row.column.name
        : row.kind === 'schema'
          ? row.name
          : row.relation.name;
    return `${'  '.repeat(row.level - 1)}${name} ${row.position}/${row.count}`;
  });

describe('the tree of tables', () => {
  it('shows tables by schema, and columns of tables that were opened', () => {
    same(shown('', [relationKey(relations[0]!), schemaKey('archive')]), [
      'public 1/2',
      '  orders 1/2',
      '    id 1/2',
      '    customer 2/2',
      '  ages 2/2',
      'archive 2/2',
    ]);
  });

  it('opens tables that were found by a column', () => {
    same(shown('cust'), ['public 1/1', '  orders 1/1', '    id 1/2', '    customer 2/2']);
    same(shown('ORDERS'.toLowerCase()), ['public 1/1', '  orders 1/1']);
    same(shown('nothing'), []);
  });

  it('closes the schemas of a database with many', () => {
    const many = ['a', 'b', 'c', 'd'].map((schema) => relation(schema, 'x'));
    same(
      schemaRows(many, '', new Set()).map(({ level }) => level),
      [1, 1, 1, 1],
    );
  });
});
