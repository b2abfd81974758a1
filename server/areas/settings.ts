/** Interpreter settings, their repositories and their processes. */
import { type ActingUser, administers } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import { propertyTypes } from '../interpreters/contract.ts';
import { newNote, newParagraph } from '../notes/note.ts';
import type { RunningInstance } from '../run/pool.ts';
import { listKernels } from '../settings/kernel-catalogue.ts';
import { templateOf } from '../settings/setting.ts';
import { noSuchSetting } from '../settings/settings.ts';
import type { RestHandlers, ServerContext } from './context.ts';
import { sharedInterpreter, shownSetting } from './interpreters.ts';
import { addNote, removeNote } from './notes/notes.ts';

/** Returns the setting that the path names, if it can be shown. */
function settingOf(params: Readonly<Record<string, string>>, { pool }: ServerContext) {
  const id = params['settingId'] ?? '';
  const setting = pool.setting(id);
  if (!setting) throw noSuchSetting(id);
  return setting;
}

/**
 * Updates the interpreter bindings of all open notes after a setting was added or removed: every
 * note lists all settings.
 */
function broadcastBindings({ hub, notes, pool }: ServerContext): void {
  for (const noteId of new Set([...hub.connections].map((connection) => connection.noteId))) {
    const note = noteId === undefined ? undefined : notes.find(noteId);
    if (note)
      hub.broadcastToNote(note.id, 'INTERPRETER_BINDINGS', {
        interpreterBindings: pool.lookup.bindings(note),
      });
  }
}

/**
 * Returns the instances that a user may know of: shared ones, their own, and those of notes they
 * may read. Administrators know all.
 */
function visible(person: ActingUser, { pool, permissions }: ServerContext) {
  return pool
    .instances()
    .filter(
      ({ noteId, principal }) =>
        administers(person) ||
        ((principal === undefined || principal === person.principal) &&
          (noteId === undefined || permissions.has(person, noteId, 'reader'))),
    );
}

/**
 * Returns whether a user may end an instance: administrators any, other users their own and those
 * of notes they may write.
 */
const mayEnd = (
  person: ActingUser,
  { noteId, principal }: RunningInstance,
  { permissions }: ServerContext,
): boolean =>
  administers(person) ||
  principal === person.principal ||
  (noteId !== undefined && permissions.has(person, noteId, 'writer'));

function instanceOf(
  sessionId: string,
  person: ActingUser,
  context: ServerContext,
): RunningInstance {
  const found = visible(person, context).find(({ session }) => session.sessionId === sessionId);
  if (!found) throw new Refusal(404, `No such session: ${sessionId}`);
  return found;
}

function logChange(
  kind: 'created' | 'changed' | 'deleted',
  interpreter: string,
  { principal }: ActingUser,
  { log }: ServerContext,
): void {
  log.info({ event: `setting-${kind}`, interpreter, principal }, `interpreter setting ${kind}`);
}

/** REST handlers for interpreter settings. */
export const settingsRest = {
  listTemplates: (_, { pool, settings }) =>
    Object.fromEntries(
      settings.specs
        .filter((spec) => pool.lookup.isUsable(spec))
        .map((spec) => [spec.name, templateOf(spec)]),
    ),
  createSetting: async ({ body, person }, context) => {
    const { credentials, settings, pool } = context;
    const spec = settings.spec(body.group);
    if (spec && !pool.lookup.isUsable(spec))
      throw new Refusal(404, `No such interpreter group: ${body.group}`);
    const { id } = await settings.create(body);
    await credentials.bind((entity) => settings.serverOf(entity));
    await pool.changed(id);
    logChange('created', id, person, context);
    broadcastBindings(context);
    return settingOf({ settingId: id }, context);
  },
  getSetting: ({ params, person }, context) =>
    shownSetting(settingOf(params, context), person, context),
  updateSetting: async ({ params, body, person }, context) => {
    const { id } = settingOf(params, context);
    if (!body.option && !body.properties && !body.dependencies)
      throw new Refusal(400, 'Nothing to change: send option, properties or dependencies.');
    await context.settings.update(id, body);
    await context.pool.changed(id);
    logChange('changed', id, person, context);
    return settingOf(params, context);
  },
  deleteSetting: async ({ params, person }, context) => {
    const { id } = settingOf(params, context);
    await context.settings.remove(id);
    await context.pool.changed(id);
    logChange('deleted', id, person, context);
    broadcastBindings(context);
  },
  listKernels: async (_, context) => {
    const { options, settings, secrets, pool } = context;
    const { list, isChanged } = await listKernels({
      kernels: options.kernels,
      settings,
      secrets,
      isUsable: (spec) => pool.lookup.isUsable(spec),
    });
    if (isChanged) broadcastBindings(context);
    return list;
  },
  listPropertyTypes: () => [...propertyTypes],
  listRepositories: ({ person }, { repositories }) => repositories.list(administers(person)),
  addRepository: ({ body }, { repositories }) => repositories.add(body),
  deleteRepository: ({ params }, { repositories }) =>
    repositories.remove(params['repositoryId'] ?? ''),
  settingMetadata: ({ params }, context) => {
    const { id } = settingOf(params, context);
    const running = context.pool.instances().filter(({ session }) => session.interpreter === id);
    if (running.length === 0) return undefined;
    const busy = running.filter(({ session }) => session.state === 'Running').length;
    return {
      message:
        `${id}: ${running.length} ${running.length === 1 ? 'instance' : 'instances'}, ` +
        `${busy} running, the first since ` +
        String(running.map(({ session }) => String(session.startTime)).sort()[0]),
    };
  },
  installInterpreter: ({ body }, { settings }) => {
    if (settings.spec(body.name))
      throw new Refusal(409, `Interpreter ${body.name} is already installed.`);
    throw new Refusal(404, `This server does not support the interpreter ${body.name}.`);
  },
  listSessions: ({ person }, context) =>
    visible(person, context)
      .filter((instance) => mayEnd(person, instance, context))
      .map(({ session }) => session),
  createSession: async ({ query, person }, context) => {
    const id = query.get('interpreter') ?? context.pool.settings()[0]?.id ?? '';
    if (!context.pool.setting(id)) throw new Refusal(404, `No such interpreter: ${id}`);
    // As in Zeppelin, the session's paragraphs run in a note of its own.
    const note = newNote(`_ZSession/${id}/${Date.now()}`, [
      newParagraph({ user: person.principal }),
    ]);
    note.bindings = [id];
    await addNote(note, person, context);
    try {
      const sessionId = await context.pool.openSession(id, {
        noteId: note.id,
        principal: person.principal,
      });
      context.hub.broadcastLists();
      return instanceOf(sessionId, person, context).session;
    } catch (error) {
      await removeNote(note, context);
      throw error;
    }
  },
  getSession: ({ params, person }, context) =>
    instanceOf(params['sessionId'] ?? '', person, context).session,
  deleteSession: async ({ params, person }, context) => {
    const instance = instanceOf(params['sessionId'] ?? '', person, context);
    if (!mayEnd(person, instance, context)) {
      if (instance.noteId === undefined) throw sharedInterpreter();
      context.permissions.require(person, instance.noteId, 'writer');
    }
    const opened = await context.pool.endSession(instance.session.sessionId);
    const note = opened === undefined ? undefined : context.notes.find(opened);
    // The note is useless without the session. It is kept if the caller may not remove it.
    if (note && context.permissions.has(person, note.id, 'owner')) {
      await removeNote(note, context);
      context.hub.broadcastLists();
    }
  },
} satisfies Partial<RestHandlers>;
