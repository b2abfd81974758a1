/** Stores a task, schedule or subscription in the job or cluster that it belongs to. */
import type { ItemType } from '../../catalogue/definitions.ts';
import { addItem } from '../../catalogue/edits.ts';
import type { Item } from '../../catalogue/state.ts';
import type { StatementContext } from '../context.ts';
import { unknownMembersNote } from '../notes.ts';
import { recordChange } from '../resolve-and-record.ts';

export async function addPart(
  context: StatementContext,
  holder: Item,
  type: ItemType,
  name: string,
  definition: Readonly<Record<string, unknown>>,
  ignored: readonly string[],
  words = '',
): Promise<void> {
  await context.catalogue.change((state) =>
    addItem(state, { type, name, parentId: holder.id, definition }, context.who.userName),
  );
  recordChange(context, holder, 'Alter', `add ${type} ${name}`);
  context.emit.line(
    `Added ${type} ${name} to ${holder.type} ${context.catalogue.nameOf(holder)}.` +
      `${unknownMembersNote(ignored)}${words}`,
  );
}
