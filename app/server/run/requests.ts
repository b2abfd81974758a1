/** What code that runs may ask of its note: `z.angularBind`, `z.run` and the like. Operations are named as the methods of `z`. */
import * as z from 'zod/mini';
import { accountOf } from '../auth/embed-access.ts';
import type { Person } from '../auth/permissions.ts';
import type { ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { parse } from '../json.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { Runner } from './runs.ts';
import { MAX_VALUE_BYTES, sameValue } from './shared-values.ts';

/** A run whose code asks. */
export interface Asking {
  readonly note: StoredNote;
  readonly paragraph: StoredParagraph;
  readonly by: Runner;
  /** Group of the values that its interpreter shares. */
  readonly group: string;
}

/** So many runs may have led to one another. */
const MAX_BEHIND = 8;
/** Longest name of a value, in characters: templates take no longer one. */
const MAX_NAME = 255;
/** Names that mean something to the scope of a template, or to every object. */
const TAKEN = ['z', 'this', 'constructor', '__proto__', 'prototype'];

/** Name of a paragraph among all notes. */
export const runKey = (noteId: string, paragraphId: string): string => `${noteId}/${paragraphId}`;

function checkName(name: string): void {
  if (name.trim() === '' || name.length > MAX_NAME || /[\p{Cc}]/u.test(name))
    throw new Refusal(400, `a name is text of 1 to ${MAX_NAME} characters, without line breaks`);
  if (name.startsWith('$') || TAKEN.includes(name))
    throw new Refusal(400, `'${name}' means something else to templates: choose another name`);
}

/** A value as it came from code: JSON, not too large. */
function checked(value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  const size = Buffer.byteLength(text);
  if (size > MAX_VALUE_BYTES)
    throw new Refusal(
      413,
      `a value has at most ${MAX_VALUE_BYTES} bytes of JSON, and this one has ${size}`,
    );
  return parse(text);
}

/** A page with a token to edit one paragraph has nothing to do with the rest of the note, nor has its code. */
function checkPlace({ paragraph, by: { embed } }: Asking, paragraphId: string | undefined): void {
  if (embed?.scope === 'edit' && embed.paragraphId !== undefined && paragraphId !== paragraph.id)
    throw new Refusal(403, 'the token of this page is for one paragraph', 'forbidden');
}

/** Code of a page with a token changes nothing outside the token's note; where the page writes the code, it sees nothing else either. */
function checkGlobal({ by: { embed } }: Asking, changes: boolean): void {
  if (embed && (changes || embed.scope === 'edit'))
    throw new Refusal(403, 'the token of this page is for one note', 'forbidden');
}

/** The paragraph that is meant: undefined for the note, which may also be named by its id (upstream). */
function placeOf(asking: Asking, paragraphId: string | null | undefined): string | undefined {
  const meant = paragraphId == null || paragraphId === asking.note.id ? undefined : paragraphId;
  checkPlace(asking, meant);
  return meant;
}

/** Who runs, with the roles held now. */
async function personOf(
  { by: { principal, embed } }: Asking,
  { users }: ServerContext,
): Promise<Person> {
  await users.refresh();
  const user = users.get(accountOf(principal));
  if (!user || user.disabled) throw new Refusal(403, 'nobody may run it in this name', 'forbidden');
  return { principal, roles: embed ? [] : user.roles, ...(embed ? { embed } : {}) };
}

/** Whose runs led to what this code starts, itself too. */
function behind({ note, paragraph, by }: Asking): readonly string[] {
  const all = [...(by.behind ?? []), runKey(note.id, paragraph.id)];
  if (all.length > MAX_BEHIND)
    throw new Refusal(409, `runs start one another at most ${MAX_BEHIND} deep`);
  return all;
}

/** A note that the person may run. */
async function runnable(
  asking: Asking,
  noteId: string | null | undefined,
  context: ServerContext,
): Promise<StoredNote> {
  const person = await personOf(asking, context);
  const note = noteId == null ? asking.note : context.notes.get(noteId);
  context.permissions.require(person, note.id, 'runner');
  return note;
}

async function runOne(
  asking: Asking,
  noteId: string | null | undefined,
  which: string | number,
  context: ServerContext,
): Promise<void> {
  const note = await runnable(asking, noteId, context);
  const paragraph =
    typeof which === 'string' ? context.editor.paragraph(note, which) : note.paragraphs[which];
  if (!paragraph)
    throw new Refusal(
      404,
      `there is no paragraph number ${which}: the first is 0, the last is ${note.paragraphs.length - 1}`,
    );
  const { embed } = asking.by;
  if (embed?.paragraphId !== undefined && embed.paragraphId !== paragraph.id)
    throw new Refusal(403, 'the token of this page is for one paragraph', 'forbidden');
  const before = behind(asking);
  // The first words are upstream's.
  if (paragraph === asking.paragraph) throw new Refusal(409, 'Can not run current Paragraph');
  if (before.includes(runKey(note.id, paragraph.id)))
    throw new Refusal(409, `the run of ${paragraph.id} has led to this one`);
  await context.runs.start(note, paragraph.id, {}, { ...asking.by, behind: before });
}

async function runWhole(
  asking: Asking,
  noteId: string | null | undefined,
  context: ServerContext,
): Promise<void> {
  const note = await runnable(asking, noteId, context);
  if (asking.by.embed?.paragraphId !== undefined)
    throw new Refusal(403, 'the token of this page is for one paragraph', 'forbidden');
  const before = behind(asking);
  const others = note.paragraphs.filter(({ id }) => !before.includes(runKey(note.id, id)));
  if (others.length > 0)
    context.runs.startNote(note, new Map(others.map(({ id }) => [id, {}])), {
      ...asking.by,
      behind: before,
    });
}

const id = z.optional(z.nullable(z.string()));
const operation = <S extends z.ZodMiniType>(
  schema: S,
  act: (values: z.infer<S>, asking: Asking, context: ServerContext) => unknown,
) => ({
  act: (given: unknown, asking: Asking, context: ServerContext): unknown => {
    const { success, data, error } = schema.safeParse(given);
    if (!success)
      throw new Refusal(
        400,
        `${error.issues[0]?.path.join('.') ?? ''} ${error.issues[0]?.message ?? 'does not fit'}`.trim(),
      );
    return act(data, asking, context);
  },
});
const named = z.object({ name: z.string(), paragraphId: id });

const operations: Readonly<Record<string, ReturnType<typeof operation>>> = {
  angularBind: operation(
    z.object({ name: z.string(), value: z.unknown(), paragraphId: id }),
    async ({ name, value, paragraphId }, asking, { editor, values }) => {
      checkName(name);
      const { note, group } = asking;
      const place = { note, paragraphId: placeOf(asking, paragraphId) };
      if (place.paragraphId !== undefined) editor.paragraph(note, place.paragraphId);
      const object = checked(value);
      const known = values.find(place, name);
      if (known?.group === group && sameValue(known.entry.object, object)) return;
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
      if (!known || !sameValue(known.object, object))
        await values.putGlobal(asking.group, name, object);
    },
  ),
  // Of a paragraph by its id alone; else what a template there would see.
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
  getInterpreterContext: operation(z.object({}), (_, { note, paragraph }) => ({
    noteId: note.id,
    noteName: note.name,
    paragraphId: paragraph.id,
    paragraphTitle: paragraph.title ?? '',
    paragraphText: paragraph.text,
  })),
};

/** Answers code; rejects with a sentence that names the method. */
export async function answerCode(
  asking: Asking,
  name: string,
  values: unknown,
  context: ServerContext,
): Promise<unknown> {
  try {
    const found = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!found) throw new Refusal(404, 'there is no such operation');
    if (context.notes.find(asking.note.id) !== asking.note)
      throw new Refusal(404, 'the note is gone');
    return (await found.act(values, asking, context)) ?? null;
  } catch (error) {
    if (!(error instanceof Refusal))
      context.log.error(
        { note: asking.note.id, operation: name, error: (error as Error).stack },
        'what code asked for failed',
      );
    // Of what is no refusal the message is for the log: it may name files.
    throw new Error(
      `z.${name}: ${error instanceof Refusal ? error.message : 'it failed on the server.'}`,
      { cause: error },
    );
  }
}
