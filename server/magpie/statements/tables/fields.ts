/** Adds fields to tables. */
import { quoteName } from '../../../interpreters/sql/script.ts';
import { defineField } from '../../catalogue/definitions.ts';
import { changeItem } from '../../catalogue/edits.ts';
import { engineType } from '../../catalogue/field-types.ts';
import { type Item, isSameName } from '../../catalogue/state.ts';
import { MetadataError } from '../../contract.ts';
import type { Body } from '../../language/statements.ts';
import type { StatementContext } from '../context.ts';
import { unknownMembersNote } from '../notes.ts';
import { recordChange } from '../resolve-and-record.ts';
import { inOneTransaction } from './make-table.ts';
import { mappingOf, readTableFields, tableOfItem } from './tables.ts';

/** Throws if the fields of a table are those of its source. */
export function requireStored({ catalogue }: StatementContext, table: Item): void {
  if (mappingOf(table))
    throw new MetadataError(
      `The fields of ${catalogue.nameOf(table)} come from its source. ` +
        'Change its "persistenceMapping" instead.',
    );
}

export async function addField(context: StatementContext, table: Item, body: Body): Promise<void> {
  const { value, ignored } = defineField(body);
  requireStored(context, table);
  const { from, name } = tableOfItem(context, table);
  const fields = await readTableFields(context.engine, { from, item: table });
  if (fields.some((field) => isSameName(field.name, value.name)))
    throw new MetadataError(`Table ${name} already has a field ${value.name}.`);
  await inOneTransaction(
    context,
    () =>
      context.engine.query(
        `ALTER TABLE ${from} ADD COLUMN ${quoteName(value.name)} ` +
          `${engineType(value.fieldType) ?? 'VARCHAR'}`,
      ),
    (state) =>
      changeItem(state, table.id, {
        definition: { ...table.definition, fields: [...fields, value] },
      }),
  );
  recordChange(context, table, 'Alter', `add field ${value.name}`);
  context.emit.line(`Added field ${value.name} to table ${name}.${unknownMembersNote(ignored)}`);
}
