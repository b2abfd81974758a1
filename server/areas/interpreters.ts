/** Interpreter settings and note bindings. */
import type { InterpreterSetting } from '@tiding/client/protocol';
import { type ActingUser, administers } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import type { StoredNote } from '../notes/note.ts';
import type { LiveHandlers, RestHandlers, ServerContext } from './context.ts';
import { withRight } from './notes/notes.ts';

/** The process serves other notes too, so ending it would end the runs of other users. */
export const sharedInterpreter = (): Refusal =>
  new Refusal(
    403,
    'All notes share this interpreter, so only an administrator can end it. Cancel your run ' +
      'instead, or ask an administrator to give each note a process of its own.',
  );

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
    interpreterBindings: pool.lookup.bindings(note),
  });
}

/**
 * Returns a setting as a user sees it: without properties if they may not use it, because these
 * name hosts, databases and accounts.
 */
export const shownSetting = (
  setting: InterpreterSetting,
  person: ActingUser,
  { pool, settings }: ServerContext,
): InterpreterSetting => {
  const stored = settings.get(setting.id);
  return administers(person) || (stored && pool.lookup.mayUse(stored, person.principal))
    ? setting
    : { ...setting, properties: {} };
};

const shownSettings = (person: ActingUser, context: ServerContext): InterpreterSetting[] =>
  context.pool.settings().map((setting) => shownSetting(setting, person, context));

/** The settings with `id`, `name` and the listed fields; all fields if there is no list. */
function settingsWith(
  settings: readonly InterpreterSetting[],
  list: string | null,
): InterpreterSetting[] {
  if (list === null) return [...settings];
  const fields = list.split(',');
  return settings.map(({ id, name, ...others }) => ({
    id,
    name,
    ...Object.fromEntries(Object.entries(others).filter(([field]) => fields.includes(field))),
  }));
}

export const interpretersLive = {
  GET_INTERPRETER_BINDINGS: ({ data, connection, person }, { hub, pool, notes }) => {
    const note = notes.get(data.noteId);
    hub.send(connection, 'INTERPRETER_BINDINGS', {
      interpreterBindings: pool.lookup.bindings(note).map((binding) => ({
        ...binding,
        process: pool.processOf(binding.id, { noteId: note.id, principal: person.principal }),
      })),
    });
  },
  SAVE_INTERPRETER_BINDINGS: ({ data }, context) =>
    bind(context.notes.get(data.noteId), data.selectedSettingIds, context),
  GET_INTERPRETER_SETTINGS: ({ connection, person }, context) =>
    context.hub.send(connection, 'INTERPRETER_SETTINGS', {
      interpreterSettings: shownSettings(person, context),
    }),
} satisfies Partial<LiveHandlers>;

export const interpretersRest = {
  getBindings: ({ params, person }, context) =>
    context.pool.lookup.bindings(withRight(params, person, 'reader', context)),
  setBindings: ({ params, person, body }, context) =>
    bind(withRight(params, person, 'writer', context), body, context),
  listSettings: ({ query, person }, context) =>
    settingsWith(shownSettings(person, context), query.get('fields')),
  restartSetting: async ({ params, body, person }, { pool, settings, notes, permissions }) => {
    const id = params['settingId'] ?? '';
    const noteId = body?.noteId;
    if (noteId !== undefined) permissions.require(person, notes.get(noteId).id, 'writer');
    else if (!administers(person))
      throw new Refusal(
        403,
        'Only an administrator can restart an interpreter for all notes. ' +
          'Open a note that you may edit and restart the interpreter there.',
      );
    const stored = settings.get(id);
    if (stored && !pool.lookup.mayUse(stored, person.principal))
      throw new Refusal(403, `You don't have permission to use interpreter ${id}.`);
    const caller = noteId === undefined ? undefined : { noteId, principal: person.principal };
    if (caller && !administers(person) && pool.isShared(id, caller)) throw sharedInterpreter();
    const setting = await pool.restart(id, caller, `because ${person.principal} restarted it`);
    if (!setting) throw new Refusal(404, `No such interpreter setting: ${id}`);
    return setting;
  },
} satisfies Partial<RestHandlers>;
