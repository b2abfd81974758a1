/** The state of a kernel's widget models, as their views know it. */
import { jsonObjectOf } from '@tiding/client/model';
import type { CommModel, JsonObject } from '@tiding/client/protocol';

/** Reference of a model to another one: this prefix and its id. */
const REFERENCE = 'IPY_MODEL_';

/** A value that is transferred as binary data, and its place in the state. */
interface BinaryValue {
  readonly path: readonly (string | number)[];
  /** Base64. */
  readonly data: string;
}

export interface ModelState {
  readonly comm: string;
  readonly noteId: string;
  readonly paragraphId: string;
  readonly state: Map<string, unknown>;
  binary: readonly BinaryValue[];
  /** Approximate size of each value, in characters. */
  readonly sizes: Map<string, number>;
}

const pathsOf = (data: JsonObject): (string | number)[][] =>
  (Array.isArray(data['buffer_paths']) ? data['buffer_paths'] : []).filter(Array.isArray);

/** Returns a new model without state. */
export const newModel = (comm: string, noteId: string, paragraphId: string): ModelState => ({
  comm,
  noteId,
  paragraphId,
  state: new Map(),
  binary: [],
  sizes: new Map(),
});

/** Applies the state in the data of a message and returns how much larger the model is now. */
export function applyState(
  model: ModelState,
  data: JsonObject,
  buffers: readonly string[] = [],
): number {
  const changed = jsonObjectOf(data['state']);
  const binary = pathsOf(data).flatMap((path, index) =>
    buffers[index] === undefined ? [] : [{ path, data: buffers[index] }],
  );
  const before = sizeOf(model);
  const isReplaced = ({ path: [name] }: BinaryValue): boolean =>
    Object.hasOwn(changed, String(name)) || binary.some(({ path }) => path[0] === name);
  for (const [name, value] of Object.entries(changed)) {
    model.state.set(name, value);
    model.sizes.set(name, name.length + (JSON.stringify(value)?.length ?? 0));
  }
  model.binary = [...model.binary.filter((each) => !isReplaced(each)), ...binary];
  return sizeOf(model) - before;
}

/** Returns the approximate size of a model, in characters. */
export const sizeOf = ({ sizes, binary }: ModelState): number =>
  [...sizes.values(), ...binary.map(({ data }) => data.length)].reduce(
    (sum, size) => sum + size,
    0,
  );

/** Returns a model as pages receive it. */
export const wireModel = ({ comm, state, binary }: ModelState): CommModel => ({
  comm,
  data: { state: Object.fromEntries(state), buffer_paths: binary.map(({ path }) => path) },
  ...(binary.length > 0 ? { buffers: binary.map(({ data }) => data) } : {}),
});

/** Returns the ids of the models that a value refers to. */
export function modelReferences(value: unknown): string[] {
  if (typeof value === 'string')
    return value.startsWith(REFERENCE) ? [value.slice(REFERENCE.length)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(modelReferences);
}

/**
 * Returns a model and all that are connected with it: those that it shows, and links between them,
 * which refer to it.
 */
export function connectedModels(
  models: ReadonlyMap<string, ModelState>,
  start: string,
): ModelState[] {
  const neighbours = new Map<string, Set<string>>();
  const connect = (from: string, to: string) =>
    neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
  for (const { comm, state } of models.values())
    for (const other of modelReferences(Object.fromEntries(state))) {
      connect(comm, other);
      connect(other, comm);
    }
  const found = new Set<string>();
  const waiting = [start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(neighbours.get(id) ?? []));
  }
  return [...models.values()].filter(({ comm }) => found.has(comm));
}
