/**
 * Merges two versions of a note, paragraph by paragraph, on the JSON of their files. If both sides
 * changed the same place, the local version stays and the remote one becomes a new paragraph below
 * it, so that no text is lost. As in git, `ours` is the local side and `theirs` the remote side.
 */

import { createHash } from 'node:crypto';
import { mergeText } from '@tiding/client/changes';
import { isJsonObject, isSameJson, jsonObjectOf } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';

interface Merged {
  readonly note: JsonObject;
  /** Sentences that name what was changed on both sides and is now duplicated. */
  readonly kept: readonly string[];
}

/** Fields that a run sets; always taken from one side. */
const RUN = [
  'results',
  'status',
  'errorMessage',
  'dateStarted',
  'dateFinished',
  'tookMs',
  'runtimeInfos',
  'progress',
];

/** Returns the changed value, the local one if both sides changed it. */
function pick(base: unknown, ours: unknown, theirs: unknown): unknown {
  return isSameJson(ours, base) ? theirs : ours;
}

const isObjectOrAbsent = (value: unknown): value is JsonObject | undefined =>
  value === undefined || isJsonObject(value);
const keysOf = (ours: JsonObject, theirs: JsonObject): string[] => [
  ...new Set([...Object.keys(ours), ...Object.keys(theirs)]),
];

function pickFields(
  base: JsonObject,
  ours: JsonObject,
  theirs: JsonObject,
  keys: readonly string[],
): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const [b, o, t] = [base[key], ours[key], theirs[key]];
      const value =
        isObjectOrAbsent(b) && isObjectOrAbsent(o) && isObjectOrAbsent(t)
          ? pickObject(b, o, t)
          : pick(b, o, t);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function pickObject(
  base: JsonObject | undefined,
  ours: JsonObject | undefined,
  theirs: JsonObject | undefined,
): JsonObject | undefined {
  if (isSameJson(ours, base)) return theirs;
  if (isSameJson(theirs, base) || !ours || !theirs) return ours;
  return Object.fromEntries(
    keysOf(ours, theirs).flatMap((key) => {
      const value = pick(base?.[key], ours[key], theirs[key]);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Merges a text field of both sides; `undefined` if the changes overlap. */
function mergeField(
  base: JsonObject | undefined,
  ours: JsonObject,
  theirs: JsonObject,
  key: string,
): JsonObject | undefined {
  const text = (object: JsonObject | undefined) =>
    typeof object?.[key] === 'string' ? (object[key] as string) : '';
  if (text(ours) === '' && text(theirs) === '') return {};
  const merged = mergeText(text(base), text(ours), text(theirs));
  return 'text' in merged ? { [key]: merged.text } : undefined;
}

/**
 * Copies the remote version as a new paragraph. Its id is derived from the content, so that
 * merging again adds no second copy.
 */
function copyOf(theirs: JsonObject): JsonObject {
  const id = `remote_${createHash('sha256')
    .update(JSON.stringify([theirs['id'], theirs['title'], theirs['text']]))
    .digest('hex')
    .slice(0, 24)}`;
  const title =
    typeof theirs['title'] === 'string' && theirs['title'] !== '' ? `: ${theirs['title']}` : '';
  return {
    ...theirs,
    id,
    title: `Version of the remote${title}`,
    config: { ...jsonObjectOf(theirs['config']), title: true },
  };
}

/** Merges a paragraph; returns two if their texts can't be merged. */
function mergeParagraph(
  base: JsonObject | undefined,
  ours: JsonObject,
  theirs: JsonObject,
): readonly [JsonObject] | readonly [JsonObject, JsonObject] {
  if (isSameJson(ours, theirs) || (base && isSameJson(theirs, base))) return [ours];
  if (base && isSameJson(ours, base)) return [theirs];
  const keys = keysOf(ours, theirs).filter(
    (key) => key !== 'text' && key !== 'title' && !RUN.includes(key),
  );
  const run = (object: JsonObject | undefined) =>
    Object.fromEntries(
      RUN.flatMap((key) => (object?.[key] === undefined ? [] : [[key, object[key]]])),
    );
  const title = mergeField(base, ours, theirs, 'title');
  const text = mergeField(base, ours, theirs, 'text');
  // Keep both unchanged: the text of one with the result of the other would match neither.
  if (!title || !text) return [ours, copyOf(theirs)];
  return [
    {
      ...pickFields(base ?? {}, ours, theirs, keys),
      ...(pick(run(base), run(ours), run(theirs)) as JsonObject),
      ...title,
      ...text,
    },
  ];
}

const listOf = (note: JsonObject | undefined): JsonObject[] =>
  Array.isArray(note?.['paragraphs']) ? note['paragraphs'].filter(isJsonObject) : [];
const idOf = (paragraph: JsonObject): string => String(paragraph['id']);

/**
 * Merges the paragraphs in the order of the side that changed it, the local one if both did. A
 * paragraph removed on one side is removed, unless the other side changed it.
 */
function mergeParagraphs(
  base: JsonObject | undefined,
  ours: JsonObject,
  theirs: JsonObject,
  kept: (id: string) => void,
): JsonObject[] {
  const [baseList, ourList, theirList] = [listOf(base), listOf(ours), listOf(theirs)];
  const byId = (list: JsonObject[]) =>
    new Map(list.map((paragraph) => [idOf(paragraph), paragraph]));
  const [inBase, inOurs, inTheirs] = [byId(baseList), byId(ourList), byId(theirList)];
  const order = (list: JsonObject[], other: ReadonlyMap<string, JsonObject>) =>
    list.map(idOf).filter((id) => inBase.has(id) && other.has(id));
  // The side that moved paragraphs determines the order; paragraphs that only the other side has go
  // after their predecessor there.
  const weMoved = !isSameJson(
    order(ourList, inTheirs),
    order(
      baseList.filter((each) => inOurs.has(idOf(each))),
      inTheirs,
    ),
  );
  const [lead, follow] = weMoved || !base ? [ourList, theirList] : [theirList, ourList];
  const ids = lead.map(idOf);
  for (const [at, paragraph] of follow.entries()) {
    const id = idOf(paragraph);
    if (ids.includes(id)) continue;
    const before = follow
      .slice(0, at)
      .map(idOf)
      .findLast((each) => ids.includes(each));
    ids.splice(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
  }
  return ids.flatMap((id): JsonObject[] => {
    const [b, o, t] = [inBase.get(id), inOurs.get(id), inTheirs.get(id)];
    if (o && t) {
      const [merged, copy] = mergeParagraph(b, o, t);
      if (!copy || inOurs.has(idOf(copy)) || inTheirs.has(idOf(copy))) return [merged];
      kept(id);
      return [merged, copy];
    }
    const one = (o ?? t)!;
    return b && isSameJson(b, one) ? [] : [one];
  });
}

/** Merges the files of a note. `base` is the last common version. */
export function mergeNotes(
  base: JsonObject | undefined,
  ours: JsonObject,
  theirs: JsonObject,
): Merged {
  if (isSameJson(ours, theirs) || (base && isSameJson(theirs, base)))
    return { note: ours, kept: [] };
  if (base && isSameJson(ours, base)) return { note: theirs, kept: [] };
  const keys = keysOf(ours, theirs).filter((key) => key !== 'paragraphs');
  const kept: string[] = [];
  const paragraphs = mergeParagraphs(base, ours, theirs, (id) =>
    kept.push(
      `Paragraph ${id} of the note '${String(ours['name'])}' was changed here and at the ` +
        "remote, and the two changes overlap: both are kept, the remote's in a paragraph below.",
    ),
  );
  return { note: { ...pickFields(base ?? {}, ours, theirs, keys), paragraphs }, kept };
}
