/**
 * Requests that running code may make to its note: `z.angularBind`, `z.run` and the like.
 * Operations are named like the methods of `z`.
 */
import { isSameJson } from '@tiding/client/model';
import { applyChange, formFromCode, paragraphOf } from '@tiding/client/notebook';
import { type Form, formOption } from '@tiding/client/protocol';
import * as z from 'zod/mini';
import { accountOf } from '../auth/embed-access.ts';
import type { ActingUser } from '../auth/permissions.ts';
import { Refusal, validated } from '../base/errors.ts';
import { parseUntrustedJson } from '../base/json.ts';
import type { StoredNote } from '../notes/note.ts';
import { type CodeRequest, runKey } from '../run/run-origin.ts';
import { MAX_VALUE_BYTES } from '../run/shared-values.ts';
import type { ServerContext } from './context.ts';

/** Maximum length of a chain of runs that start one another. */
const MAX_BEHIND = 8;
/** Maximum length of a value's name in characters; templates accept no longer ones. */
const MAX_NAME = 255;
/** Maximum number of options of a form that code creates. */
const MAX_OPTIONS = 10_000;
/** Names with a meaning in a template's scope or on every object. */
const TAKEN = ['z', 'this', 'constructor', '__proto__', 'prototype'];

function checkName(name: string): void {
  if (name.trim() === '' || name.length > MAX_NAME || /[\p{Cc}]/u.test(name))
    throw new Refusal(
      400,
      `A name must be text of 1 to ${MAX_NAME} characters without line breaks.`,
    );
  if (name.startsWith('$') || TAKEN.includes(name))
    throw new Refusal(400, `'${name}' is reserved in templates. Choose another name.`);
}

/** Checks that a value from code is JSON and not too large. */
function checked(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  const size = Buffer.byteLength(text);
  if (size > MAX_VALUE_BYTES)
    throw new Refusal(
      413,
      `A value may have at most ${MAX_VALUE_BYTES} bytes of JSON, but this one has ${size}.`,
    );
  return parseUntrustedJson(text);
}

/** Checks that code of a page with an embed token for one paragraph stays within that paragraph. */
function checkPlace(
  { paragraph, by: { embed } }: CodeRequest,
  paragraphId: string | undefined,
): void {
  if (embed?.scope === 'edit' && embed.paragraphId !== undefined && paragraphId !== paragraph.id)
    throw new Refusal(403, 'The token of this page is for one paragraph only.', 'forbidden');
}

/**
 * Checks that code of a page with an embed token changes nothing outside the token's note. If the
 * page also writes the code, it must not read anything else either.
 */
function checkGlobal({ by: { embed } }: CodeRequest, changes: boolean): void {
  if (embed && (changes || embed.scope === 'edit'))
    throw new Refusal(403, 'The token of this page is for one note only.', 'forbidden');
}

/**
 * Resolves a paragraph id; `undefined` means the whole note, which Zeppelin also lets code name by
 * its id.
 */
function placeOf(asking: CodeRequest, paragraphId: string | null | undefined): string | undefined {
  const meant = paragraphId == null || paragraphId === asking.note.id ? undefined : paragraphId;
  checkPlace(asking, meant);
  return meant;
}

/** The user who runs the code, with their current roles. */
async function personOf(
  { by: { principal, embed } }: CodeRequest,
  { users }: ServerContext,
): Promise<ActingUser> {
  await users.refresh();
  const user = users.get(accountOf(principal));
  if (!user || user.disabled)
    throw new Refusal(403, 'The user who runs this code may not run that note.', 'forbidden');
  return { principal, roles: embed ? [] : user.roles, ...(embed ? { embed } : {}) };
}

/** Keys of the runs that led to what this code starts, including its own. */
function behind({ note, paragraph, by }: CodeRequest): readonly string[] {
  const all = [...(by.behind ?? []), runKey(note.id, paragraph.id)];
  if (all.length > MAX_BEHIND)
    throw new Refusal(409, `Runs may start one another at most ${MAX_BEHIND} levels deep.`);
  return all;
}

/** Returns a note if the user may run it. */
async function runnable(
  asking: CodeRequest,
  noteId: string | null | undefined,
  context: ServerContext,
): Promise<StoredNote> {
  const person = await personOf(asking, context);
  const note = noteId == null ? asking.note : context.notes.get(noteId);
  context.permissions.require(person, note.id, 'runner');
  return note;
}

async function runOne(
  asking: CodeRequest,
  noteId: string | null | undefined,
  which: string | number,
  context: ServerContext,
): Promise<void> {
  const note = await runnable(asking, noteId, context);
  const paragraph = typeof which === 'string' ? paragraphOf(note, which) : note.paragraphs[which];
  if (!paragraph)
    throw new Refusal(
      404,
      `There is no paragraph number ${which}. ` +
        `Use a number from 0 to ${note.paragraphs.length - 1}.`,
    );
  const { embed } = asking.by;
  if (embed?.paragraphId !== undefined && embed.paragraphId !== paragraph.id)
    throw new Refusal(403, 'The token of this page is for one paragraph only.', 'forbidden');
  const before = behind(asking);
  // The message is Zeppelin's.
  if (paragraph === asking.paragraph) throw new Refusal(409, 'Can not run current Paragraph');
  if (before.includes(runKey(note.id, paragraph.id)))
    throw new Refusal(
      409,
      `Paragraph ${paragraph.id} started this run and cannot be started again by it.`,
    );
  await context.runs.start(note, paragraph.id, {}, { ...asking.by, behind: before });
}

async function runWhole(
  asking: CodeRequest,
  noteId: string | null | undefined,
  context: ServerContext,
): Promise<void> {
  const note = await runnable(asking, noteId, context);
  if (asking.by.embed?.paragraphId !== undefined)
    throw new Refusal(403, 'The token of this page is for one paragraph only.', 'forbidden');
  const before = behind(asking);
  const others = note.paragraphs.filter(({ id }) => !before.includes(runKey(note.id, id)));
  if (others.length > 0)
    context.runs.startNote(note, new Map(others.map(({ id }) => [id, {}])), {
      ...asking.by,
      behind: before,
    });
}

/** Shows a form that code creates, and returns its value. */
function showForm(
  form: Form & { name: string },
  noteWide: boolean,
  asking: CodeRequest,
  { editor, runs }: ServerContext,
): unknown {
  const { note, paragraph, by } = asking;
  if (noteWide) checkPlace(asking, undefined);
  checked(form);
  const { value, change } = formFromCode(note, paragraph, { form, noteWide }, by.embed?.params);
  if (!change) return value;
  applyChange(note, change);
  editor.send(note, change.messages);
  if (!noteWide) {
    runs.catchUp(note);
    editor.sendParagraph(note, paragraph);
  }
  return value;
}

const id = z.optional(z.nullable(z.string()));
const operation = <S extends z.ZodMiniType>(
  schema: S,
  act: (values: z.infer<S>, asking: CodeRequest, context: ServerContext) => unknown,
) => ({
  act: (given: unknown, asking: CodeRequest, context: ServerContext): unknown =>
    act(validated(schema, given), asking, context),
});
const formOperation = (type: string) =>
  operation(
    z.object({
      name: z.string().check(z.minLength(1), z.maxLength(MAX_NAME)),
      defaultValue: z.optional(z.unknown()),
      options: z.optional(z.array(formOption).check(z.maxLength(MAX_OPTIONS))),
      noteWide: z.optional(z.boolean()),
    }),
    ({ noteWide = false, ...form }, asking, context) =>
      showForm({ ...form, type, hidden: false }, noteWide, asking, context),
  );
const named = z.object({ name: z.string(), paragraphId: id });

const operations: Readonly<Record<string, ReturnType<typeof operation>>> = {
  angularBind: operation(
    z.object({ name: z.string(), value: z.unknown(), paragraphId: id }),
    async ({ name, value, paragraphId }, asking, { values }) => {
      checkName(name);
      const { note, group } = asking;
      const place = { note, paragraphId: placeOf(asking, paragraphId) };
      if (place.paragraphId !== undefined) paragraphOf(note, place.paragraphId);
      const object = checked(value);
      const known = values.find(place, name);
      if (known?.group === group && isSameJson(known.entry.object, object)) return;
      await values.put(place, group, name, object, { limited: true });
    },
  ),
  angularBindGlobal: operation(
    z.object({ name: z.string(), value: z.unknown() }),
    async ({ name, value }, asking, { values }) => {
      checkName(name);
      checkGlobal(asking, true);
      const object = checked(value);
      const known = values.findGlobal(asking.group, name);
      if (!known || !isSameJson(known.object, object))
        await values.putGlobal(asking.group, name, object);
    },
  ),
  // With a paragraph id, only that paragraph's values; otherwise what a template there would see.
  angular: operation(named, ({ name, paragraphId }, asking, { values }) => {
    const { note, paragraph } = asking;
    if (paragraphId != null)
      return values.find({ note, paragraphId: placeOf(asking, paragraphId) }, name)?.entry.object;
    const own = values.find({ note, paragraphId: paragraph.id }, name);
    if (own) return own.entry.object;
    checkPlace(asking, undefined);
    const ofNote = values.find({ note }, name);
    if (ofNote) return ofNote.entry.object;
    checkGlobal(asking, false);
    return values.findGlobal(asking.group, name)?.object;
  }),
  angularGlobal: operation(z.object({ name: z.string() }), ({ name }, asking, { values }) => {
    checkGlobal(asking, false);
    return values.findGlobal(asking.group, name)?.object;
  }),
  angularUnbind: operation(named, async ({ name, paragraphId }, asking, { values }) => {
    const place = { note: asking.note, paragraphId: placeOf(asking, paragraphId) };
    if (values.find(place, name)) await values.remove(place, name);
  }),
  angularUnbindGlobal: operation(
    z.object({ name: z.string() }),
    async ({ name }, asking, { values }) => {
      checkGlobal(asking, true);
      await values.removeGlobal(asking.group, name);
    },
  ),
  run: operation(
    z.object({ noteId: id, paragraph: z.union([z.string(), z.int()]) }),
    ({ noteId, paragraph }, asking, context) => runOne(asking, noteId, paragraph, context),
  ),
  runNote: operation(z.object({ noteId: z.string() }), ({ noteId }, asking, context) =>
    runWhole(asking, noteId, context),
  ),
  runAll: operation(z.object({}), (_, asking, context) => runWhole(asking, undefined, context)),
  input: formOperation('TextBox'),
  password: formOperation('Password'),
  select: formOperation('Select'),
  checkbox: formOperation('CheckBox'),
  getInterpreterContext: operation(z.object({}), (_, { note, paragraph }) => ({
    noteId: note.id,
    noteName: note.name,
    paragraphId: paragraph.id,
    paragraphTitle: paragraph.title ?? '',
    paragraphText: paragraph.text,
  })),
};

/**
 * Handles a request of running code; rejects with a user-readable message that names the method.
 */
export async function answerCodeRequest(
  asking: CodeRequest,
  name: string,
  values: unknown,
  context: ServerContext,
): Promise<unknown> {
  try {
    const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!found) throw new Refusal(404, 'There is no such operation.');
    if (context.notes.find(asking.note.id) !== asking.note)
      throw new Refusal(404, 'The note was removed.');
    return (await found.act(values, asking, context)) ?? null;
  } catch (error) {
    if (!(error instanceof Refusal))
      context.log.error(
        { note: asking.note.id, operation: name, error: (error as Error).stack },
        'a request from code failed',
      );
    // Other errors may contain file names, so their message goes only to the log.
    const reason = error instanceof Refusal ? error.message : 'The request failed on the server.';
    throw new Error(`z.${name}: ${reason}`, { cause: error });
  }
}
