/** Interpreter settings and note bindings. */
import type { LiveHandlers, RestHandlers, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { StoredNote } from '../notes/note.ts';
import { withRight } from './notes/notes.ts';

async function bind(
  note: StoredNote,
  ids: readonly string[],
  { pool, editor, hub }: ServerContext,
): Promise<void> {
  const known = pool.settings().map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined) throw new Refusal(400, `No such interpreter setting: ${unknown}`);
  await editor.change(note, [], () => (note.bindings = [...new Set(ids)]));
  hub.broadcastToNote(note.id, 'INTERPRETER_BINDINGS', {
    interpreterBindings: pool.bindings(note),
  });
}

/** Live handlers for interpreters. */
export const interpretersLive = {
  GET_INTERPRETER_BINDINGS: ({ data, connection }, { hub, pool, notes }) =>
    hub.send(connection, 'INTERPRETER_BINDINGS', {
      interpreterBindings: pool.bindings(notes.get(data.noteId)),
    }),
  SAVE_INTERPRETER_BINDINGS: ({ data }, context) =>
    bind(context.notes.get(data.noteId), data.selectedSettingIds, context),
  GET_INTERPRETER_SETTINGS: ({ connection }, { hub, pool }) =>
    hub.send(connection, 'INTERPRETER_SETTINGS', { interpreterSettings: pool.settings() }),
} satisfies Partial<LiveHandlers>;

/** REST handlers for interpreters. */
export const interpretersRest = {
  getBindings: ({ params, person }, context) =>
    context.pool.bindings(withRight(params, person, 'reader', context)),
  setBindings: ({ params, person, body }, context) =>
    bind(withRight(params, person, 'writer', context), body, context),
  listSettings: (_, { pool }) => pool.settings(),
  restartSetting: async ({ params, body, person }, { pool, settings, notes, permissions }) => {
    const id = params['settingId'] ?? '';
    const noteId = body?.noteId;
    if (noteId !== undefined) permissions.require(person, notes.get(noteId).id, 'runner');
    const stored = settings.get(id);
    if (stored && !pool.mayUse(stored, person.principal))
      throw new Refusal(403, `You don't have permission to use interpreter ${id}.`);
    const setting = await pool.restart(
      id,
      noteId === undefined ? undefined : { noteId, principal: person.principal },
    );
    if (!setting) throw new Refusal(404, `No such interpreter setting: ${id}`);
    return setting;
  },
} satisfies Partial<RestHandlers>;
