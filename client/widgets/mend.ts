/**
 * Payloads as they come: what is wrong in one is put right or left out, and said, so that the rest can be shown. Pure; never throws.
 */
import * as z from 'zod/mini';

/** Something in a payload that is not as it should be. */
export interface PayloadProblem {
  /** Where: `taskRuns[2].startTime`; empty for the payload itself. */
  readonly path: string;
  /** What should be there: `array`, `string`, `number`, … */
  readonly expected: string;
  /** What is there: `null`, `undefined`, `object`, … */
  readonly found: string;
}

/** A payload that can be shown, and what was wrong with it. */
export interface Mended<Data> {
  /** Fits its schema. */
  readonly data: Data;
  /** At most {@link MAX_PROBLEMS}, in the order of the payload. */
  readonly problems: readonly PayloadProblem[];
}

/** More problems than these of one payload are not told. */
export const MAX_PROBLEMS = 50;
/** Each pass goes one level deeper into what was wrong; payloads have fewer levels. */
const MAX_PASSES = 12;
const defaults: Readonly<Record<string, () => unknown>> = {
  string: () => '',
  number: () => 0,
  boolean: () => false,
  array: () => [],
  object: () => ({}),
  record: () => ({}),
};

type Path = readonly PropertyKey[];
type Container = Record<PropertyKey, unknown>;

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number'
        ? `${text}[${key}]`
        : text === ''
          ? String(key)
          : `${text}.${String(key)}`,
    '',
  );

/** The value in the wanted type where it says the same in another one; `undefined`: it says nothing of the kind. */
function converted(value: unknown, expected: string): unknown {
  // Not NaN and not infinite: nothing that JSON could have said.
  if (
    expected === 'string' &&
    (Number.isFinite(value) || typeof value === 'boolean' || typeof value === 'bigint')
  )
    return String(value);
  if (
    expected === 'number' &&
    typeof value === 'string' &&
    value.trim() !== '' &&
    Number.isFinite(Number(value))
  )
    return Number(value);
  if (expected === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (expected === 'array' && typeof value === 'object' && value !== null) return [value];
  if (expected === 'array' && typeof value === 'string' && value !== '') return [value];
  // A thing that is told by its name alone.
  if (expected === 'object' && typeof value === 'string' && value !== '') return { name: value };
  return undefined;
}

/** Entries of a list that are read at a time, where all at once are too many for a stack. */
const SLICE = 1_000;

/** Reads what a widget is to show. `input` is not changed; what fits is taken as it is. */
export function mend<Data>(schema: z.ZodMiniType<Data>, input: unknown): Mended<Data> {
  try {
    return mendWhole(schema, input);
  } catch (error) {
    if (!(error instanceof RangeError)) return nothing(schema, kindOf(input));
  }
  // Too many issues to be handed on, or nested deeper than a stack goes: the longest list in slices, which tells the two apart.
  const longest = longestList(input);
  if (!longest) return nothing(schema, 'nesting');
  const steps = inSlices(schema, input as Container, longest);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same piece by piece, where a list of the payload is long: each step is short however long it is. */
export function* mendSteps<Data>(
  schema: z.ZodMiniType<Data>,
  input: unknown,
): Generator<undefined, Mended<Data>, void> {
  const longest = longestList(input);
  return longest ? yield* inSlices(schema, input as Container, longest) : mend(schema, input);
}

/** The longest list of a payload, where it is longer than what is read at a time. */
export function longestList(
  input: unknown,
): readonly [key: string, list: readonly unknown[]] | undefined {
  const lists =
    kindOf(input) === 'object'
      ? (Object.entries(input as Container).filter(
          ([, value]) => Array.isArray(value) && value.length > SLICE,
        ) as [string, unknown[]][])
      : [];
  return lists.sort(([, one], [, other]) => other.length - one.length)[0];
}

function* inSlices<Data>(
  schema: z.ZodMiniType<Data>,
  input: Container,
  [key, list]: readonly [key: string, list: readonly unknown[]],
): Generator<undefined, Mended<Data>, void> {
  const parts: Mended<Data>[] = [];
  for (let from = 0; from < list.length; from += SLICE) {
    parts.push(mend(schema, { ...input, [key]: list.slice(from, from + SLICE) }));
    yield;
  }
  const data = {
    ...parts[0]!.data,
    [key]: parts.flatMap((part) => (part.data as Container)[key] as unknown[]),
  } as Data;
  const moved = (path: string, by: number): string =>
    path.startsWith(`${key}[`)
      ? path.replace(/\[(\d+)\]/, (_, at: string) => `[${Number(at) + by}]`)
      : path;
  const problems = new Map(
    parts
      .flatMap((part, at) =>
        part.problems.map((problem) => ({ ...problem, path: moved(problem.path, at * SLICE) })),
      )
      .map((problem) => [problem.path, problem]),
  );
  return { data, problems: [...problems.values()].slice(0, MAX_PROBLEMS) };
}

/** What there is where nothing can be read. */
function nothing<Data>(
  schema: z.ZodMiniType<Data>,
  found: string,
  problems: readonly PayloadProblem[] = [],
): Mended<Data> {
  const empty = z.safeParse(schema, {});
  return {
    data: (empty.success ? empty.data : {}) as Data,
    problems: [...problems, { path: '', expected: 'object', found }].slice(0, MAX_PROBLEMS),
  };
}

/** Throws RangeError where a stack does not suffice. */
function mendWhole<Data>(schema: z.ZodMiniType<Data>, input: unknown): Mended<Data> {
  const problems = new Map<string, PayloadProblem>();
  const note = (path: Path, expected: string, found: string): void => {
    const text = pathText(path);
    if (problems.size < MAX_PROBLEMS && !problems.has(text))
      problems.set(text, { path: text, expected, found });
  };
  let value: unknown = input;
  if (kindOf(value) !== 'object') {
    note([], 'object', kindOf(value));
    value = {};
  }
  const own = new Set<unknown>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const read = z.safeParse(schema, value);
    if (read.success) return { data: read.data, problems: [...problems.values()] };
    value = repaired(value, read.error.issues, own, note);
  }
  return nothing(schema, kindOf(input), [...problems.values()]);
}

/** The value with every issue put right or left out; copies what it changes, once. */
function repaired(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  own: Set<unknown>,
  note: (path: Path, expected: string, found: string) => void,
): unknown {
  const copy = (container: unknown): Container => {
    if (own.has(container)) return container as Container;
    const made = (
      Array.isArray(container) ? [...(container as unknown[])] : { ...(container as object) }
    ) as Container;
    own.add(made);
    return made;
  };
  let root = value;
  const holes = new Set<unknown[]>();
  for (const issue of issues) {
    if (issue.path.length === 0) return {};
    root = copy(root);
    let parent = root as Container;
    for (const key of issue.path.slice(0, -1)) parent = parent[key] = copy(parent[key]);
    const key = issue.path.at(-1)!;
    const found = parent[key];
    const expected = issue.code === 'invalid_type' ? issue.expected : 'value';
    note(issue.path, expected, kindOf(found));
    const better = converted(found, expected);
    if (better !== undefined) parent[key] = better;
    else if (Array.isArray(parent)) {
      parent[key] = HOLE;
      holes.add(parent as unknown[]);
    } else if (found === undefined || found === null) parent[key] = defaults[expected]?.();
    else delete parent[key];
  }
  for (const list of holes) list.splice(0, list.length, ...list.filter((each) => each !== HOLE));
  return root;
}

/** Stands where an entry of a list could not be read. */
const HOLE = Symbol('hole');
