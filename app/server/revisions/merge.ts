/** Two versions of a note made one: paragraph by paragraph, on the JSON of their files. */
import { mergeText } from 'tiding/model';
import type { Bag } from 'tiding/protocol';

/** Both sides changed the same; `message` says where. */
export class MergeConflict extends Error {}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
/** What a run left: of one side, never mixed. */
const RUN = ['results', 'status', 'errorMessage', 'dateStarted', 'dateFinished', 'tookMs', 'runtimeInfos', 'progress'];

/** The value of whoever changed it, ours where both did. */
function pick(base: unknown, ours: unknown, theirs: unknown): unknown {
  return same(ours, base) ? theirs : ours;
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Field by field, of the fields `keys`. */
function pickFields(base: Bag, ours: Bag, theirs: Bag, keys: readonly string[]): Bag {
  return Object.fromEntries(keys.flatMap((key) => {
    const values = [base[key], ours[key], theirs[key]] as const;
    const value = values.every((each) => each === undefined || isBag(each))
      ? pickBag(...(values as readonly [Bag | undefined, Bag | undefined, Bag | undefined]))
      : pick(...values);
    return value === undefined ? [] : [[key, value]];
  }));
}

function pickBag(base: Bag | undefined, ours: Bag | undefined, theirs: Bag | undefined): Bag | undefined {
  if (same(ours, base)) return theirs;
  if (same(theirs, base) || !ours || !theirs) return ours;
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  return Object.fromEntries(keys.flatMap((key) => {
    const value = pick(base?.[key], ours[key], theirs[key]);
    return value === undefined ? [] : [[key, value]];
  }));
}

function mergeField(base: Bag | undefined, ours: Bag, theirs: Bag, key: string, where: string): Bag {
  const text = (bag: Bag | undefined) => (typeof bag?.[key] === 'string' ? (bag[key] as string) : '');
  if (text(ours) === '' && text(theirs) === '') return {};
  const merged = mergeText(text(base), text(ours), text(theirs));
  if (!('text' in merged)) throw new MergeConflict(`${where} was changed here and at the remote, and the two changes overlap.`);
  return { [key]: merged.text };
}

function mergeParagraph(base: Bag | undefined, ours: Bag, theirs: Bag, noteName: string): Bag {
  if (same(ours, theirs) || (base && same(theirs, base))) return ours;
  if (base && same(ours, base)) return theirs;
  const where = `Paragraph ${String(ours['id'])} of the note '${noteName}'`;
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter((key) => key !== 'text' && key !== 'title' && !RUN.includes(key));
  const run = (bag: Bag | undefined) => Object.fromEntries(RUN.flatMap((key) => (bag?.[key] === undefined ? [] : [[key, bag[key]]])));
  return {
    ...pickFields(base ?? {}, ours, theirs, keys),
    ...(pick(run(base), run(ours), run(theirs)) as Bag),
    ...mergeField(base, ours, theirs, 'title', `The title of ${where}`),
    ...mergeField(base, ours, theirs, 'text', where),
  };
}

const listOf = (note: Bag | undefined): Bag[] => (Array.isArray(note?.['paragraphs']) ? note['paragraphs'].filter(isBag) : []);
const idOf = (paragraph: Bag): string => String(paragraph['id']);

/**
 * The paragraphs of both sides: in the order of whoever changed it, ours where both did. A paragraph that one side
 * removed is gone, unless the other changed it.
 */
function mergeParagraphs(base: Bag | undefined, ours: Bag, theirs: Bag, noteName: string): Bag[] {
  const [baseList, ourList, theirList] = [listOf(base), listOf(ours), listOf(theirs)];
  const byId = (list: Bag[]) => new Map(list.map((paragraph) => [idOf(paragraph), paragraph]));
  const [inBase, inOurs, inTheirs] = [byId(baseList), byId(ourList), byId(theirList)];
  const order = (list: Bag[], other: ReadonlyMap<string, Bag>) => list.map(idOf).filter((id) => inBase.has(id) && other.has(id));
  // Whoever moved paragraphs leads; what only the other side has is put behind the one it followed there.
  const weMoved = !same(order(ourList, inTheirs), order(baseList.filter((each) => inOurs.has(idOf(each))), inTheirs));
  const [lead, follow] = weMoved || !base ? [ourList, theirList] : [theirList, ourList];
  const ids = lead.map(idOf);
  for (const [at, paragraph] of follow.entries()) {
    const id = idOf(paragraph);
    if (ids.includes(id)) continue;
    const before = follow.slice(0, at).map(idOf).findLast((each) => ids.includes(each));
    ids.splice(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
  }
  return ids.flatMap((id): Bag[] => {
    const [b, o, t] = [inBase.get(id), inOurs.get(id), inTheirs.get(id)];
    if (o && t) return [mergeParagraph(b, o, t, noteName)];
    const one = (o ?? t)!;
    return b && same(b, one) ? [] : [one];
  });
}

/** Merges the files of a note. `base` is the last version both sides had. Throws {@link MergeConflict}. */
export function mergeNotes(base: Bag | undefined, ours: Bag, theirs: Bag): Bag {
  if (same(ours, theirs) || (base && same(theirs, base))) return ours;
  if (base && same(ours, base)) return theirs;
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter((key) => key !== 'paragraphs');
  return {
    ...pickFields(base ?? {}, ours, theirs, keys),
    paragraphs: mergeParagraphs(base, ours, theirs, String(ours['name'])),
  };
}
