/** Values that a note's pages share. */
import type { LiveHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { StoredNote } from '../notes/note.ts';

interface AngularObject {
  name: string;
  object?: unknown;
  noteId?: string;
  paragraphId?: string;
}

/** Group under which the pages' own values are kept. */
const PAGE_GROUP = 'page:shared_process';

function objects(note: StoredNote, group: string): AngularObject[] {
  const list = Object.hasOwn(note.angularObjects, group) ? note.angularObjects[group] : [];
  return Array.isArray(list) ? (list as AngularObject[]) : [];
}

/** Stores the values of a group; nothing of what was there is changed in place. */
function store(note: StoredNote, group: string, list: AngularObject[], { editor }: ServerContext): Promise<void> {
  if (group === '__proto__') throw new Refusal(400, `no such group of values: ${group}`);
  return editor.change(note, [], () => (note.angularObjects = { ...note.angularObjects, [group]: list }));
}

async function put(note: StoredNote, group: string, { name, paragraphId, value: object }: { name: string; paragraphId?: string | undefined; value?: unknown }, context: ServerContext): Promise<AngularObject> {
  const others = objects(note, group).filter((known) => known.name !== name || known.paragraphId !== paragraphId);
  const entry: AngularObject = { name, noteId: note.id, ...(paragraphId ? { paragraphId } : {}), object };
  await store(note, group, [...others, entry], context);
  return entry;
}

/** Live operations. */
export const angularLive = {
  ANGULAR_OBJECT_UPDATED: async ({ data, connection }, context) => {
    const note = context.notes.get(data.noteId);
    const angularObject = await put(note, data.interpreterGroupId, data, context);
    context.hub.tellNote(note.id, 'ANGULAR_OBJECT_UPDATE', { angularObject, interpreterGroupId: data.interpreterGroupId, noteId: note.id, paragraphId: data.paragraphId }, { except: connection });
  },
  ANGULAR_OBJECT_CLIENT_BIND: async ({ data }, context) => {
    const note = context.notes.get(data.noteId);
    const angularObject = await put(note, PAGE_GROUP, data, context);
    context.hub.tellNote(note.id, 'ANGULAR_OBJECT_UPDATE', { angularObject, interpreterGroupId: PAGE_GROUP, noteId: note.id, paragraphId: data.paragraphId });
  },
  ANGULAR_OBJECT_CLIENT_UNBIND: async ({ data }, context) => {
    const note = context.notes.get(data.noteId);
    await store(note, PAGE_GROUP, objects(note, PAGE_GROUP).filter((known) => known.name !== data.name || known.paragraphId !== data.paragraphId), context);
    context.hub.tellNote(note.id, 'ANGULAR_OBJECT_REMOVE', { name: data.name, noteId: note.id, paragraphId: data.paragraphId });
  },
} satisfies Partial<LiveHandlers>;
