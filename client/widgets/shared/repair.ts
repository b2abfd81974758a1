/**
 * Tolerant reading of payloads: invalid fields are repaired or dropped, and reported, so that the
 * rest can be shown. Pure functions that never throw.
 */
import * as z from 'zod/mini';
import { runNow } from '../../model/rows/run-now.ts';

/** An invalid field of a payload. */
export interface PayloadProblem {
  /** Path of the field: `taskRuns[2].startTime`. Empty for the payload itself. */
  readonly path: string;
  /** Expected type: `array`, `string`, `number`, … */
  readonly expected: string;
  /** Actual type: `null`, `undefined`, `object`, … */
  readonly found: string;
}

/** A payload that fits its schema, and the problems that were repaired. */
export interface RepairedPayload<Data> {
  /** The payload. Fits its schema. */
  readonly data: Data;
  /** The first {@link MAX_PROBLEMS} problems, in the order of the payload. */
  readonly problems: readonly PayloadProblem[];
}

/** Maximum number of problems to report for a payload. */
export const MAX_PROBLEMS = 50;
/** Each pass repairs one level deeper. Payloads have fewer levels than this. */
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

/**
 * Converts a value to the expected type if that preserves its meaning. Undefined if it does not.
 */
function converted(value: unknown, expected: string): unknown {
  // NaN and infinities are excluded: JSON cannot contain them.
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
  // An object given only by its name.
  if (expected === 'object' && typeof value === 'string' && value !== '') return { name: value };
  return undefined;
}

/** Number of list entries to read at a time, if the whole list overflows the stack. */
const SLICE = 1_000;

/**
 * Reads a payload and repairs it where it does not fit the schema. `input` is not modified; parts
 * that fit are returned as they are.
 */
export function repairPayload<Data>(
  schema: z.ZodMiniType<Data>,
  input: unknown,
): RepairedPayload<Data> {
  try {
    return mendWhole(schema, input);
  } catch (error) {
    if (!(error instanceof RangeError)) return nothing(schema, kindOf(input));
  }
  // There are either too many issues or too many levels for the stack. Reading the longest list in
  // slices tells the two apart.
  const longest = longestList(input);
  if (!longest) return nothing(schema, 'nesting');
  return runNow(inSlices(schema, input as Container, longest));
}

/** Like {@link repairPayload}, in short steps for payloads with long lists. */
export function* repairPayloadSteps<Data>(
  schema: z.ZodMiniType<Data>,
  input: unknown,
): Generator<undefined, RepairedPayload<Data>, void> {
  const longest = longestList(input);
  return longest
    ? yield* inSlices(schema, input as Container, longest)
    : repairPayload(schema, input);
}

/** The longest list of a payload, if it is long enough to be read in slices. */
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
): Generator<undefined, RepairedPayload<Data>, void> {
  const parts: RepairedPayload<Data>[] = [];
  for (let from = 0; from < list.length; from += SLICE) {
    parts.push(repairPayload(schema, { ...input, [key]: list.slice(from, from + SLICE) }));
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

/** Result for a payload that cannot be read at all. */
function nothing<Data>(
  schema: z.ZodMiniType<Data>,
  found: string,
  problems: readonly PayloadProblem[] = [],
): RepairedPayload<Data> {
  const empty = z.safeParse(schema, {});
  return {
    data: (empty.success ? empty.data : {}) as Data,
    problems: [...problems, { path: '', expected: 'object', found }].slice(0, MAX_PROBLEMS),
  };
}

/** Reads a payload in one go. Throws RangeError if the stack overflows. */
function mendWhole<Data>(schema: z.ZodMiniType<Data>, input: unknown): RepairedPayload<Data> {
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

/** Repairs or drops every invalid field. Copies each changed container once. */
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

/** Marks a list entry that could not be read. */
const HOLE = Symbol('hole');
