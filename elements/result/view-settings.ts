import type { PivotConfig } from '@tiding/client/model';
import { isJsonObject, jsonObjectOf } from '@tiding/client/model';

export type StoredColumn = PivotConfig['keys'][number];

/** Default height of a result, in px. */
const DEFAULT_RESULT_HEIGHT_PX = 300;
/** Height of the head and of ten rows of a table, with its frame, in px. */
const TEN_ROWS_PX = 331;
/** Minimum height of a result, in px. */
export const MIN_RESULT_HEIGHT_PX = 100;

/** Complete view settings of one output. */
export interface Graph {
  /** Id of the selected view. */
  readonly mode: string;
  /** Height in px. */
  readonly height: number;
  /** Whether the filter row or the field list is open. */
  readonly optionOpen: boolean;
  /** Settings of each view, by view id. */
  readonly setting: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Settings shared by all views. */
  readonly commonSetting: Readonly<Record<string, unknown>>;
  /** Columns of the x axis; undefined until the user chooses some. */
  readonly keys: readonly StoredColumn[] | undefined;
  /** Columns that split the data into series. */
  readonly groups: readonly StoredColumn[] | undefined;
  /** Columns to draw, each with its aggregation. */
  readonly values: readonly StoredColumn[] | undefined;
  /**
   * Id of the application shown instead of the result; in a patch, `''` means none. Stored next to
   * the graph.
   */
  readonly activeApp?: string | undefined;
}

/** A change of view settings. */
export type GraphPatch = Partial<Graph>;

/** One entry of `config.results`, including unknown fields. */
export type ResultEntry = Readonly<Record<string, unknown>>;

/**
 * Returns the stored entry of an output. `results` may be an object or an array, indexed by output.
 */
export function resultEntryOf(
  config: Readonly<Record<string, unknown>> | undefined,
  index: number,
): ResultEntry {
  const results = config?.['results'];
  return jsonObjectOf(Array.isArray(results) ? results[index] : jsonObjectOf(results)[index]);
}

/** Height at which a result is shown, in px: ten rows of a table if nobody has changed it. */
export const shownHeight = ({ mode, height }: Pick<Graph, 'mode' | 'height'>): number =>
  mode === 'table' && height === DEFAULT_RESULT_HEIGHT_PX ? TEN_ROWS_PX : height;

/** Normalizes a height in px. Values below 50 count as unset, values below 100 become 100. */
export function normalizeHeight(height: unknown, fallback = DEFAULT_RESULT_HEIGHT_PX): number {
  const value = typeof height === 'string' ? Number(height) : height;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 50) return fallback;
  return Math.max(MIN_RESULT_HEIGHT_PX, Math.round(value));
}

function columns(value: unknown): StoredColumn[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(
    (entry): entry is StoredColumn =>
      isJsonObject(entry) &&
      typeof entry['name'] === 'string' &&
      typeof entry['index'] === 'number',
  );
}

function settings(value: unknown): Graph['setting'] {
  return Object.fromEntries(
    Object.entries(jsonObjectOf(value)).filter((pair): pair is [string, Record<string, unknown>] =>
      isJsonObject(pair[1]),
    ),
  );
}

/** Reads the view settings of an entry and fills in defaults; `mode` is the default view. */
export function graphOf(
  entry: ResultEntry,
  height = DEFAULT_RESULT_HEIGHT_PX,
  mode = 'table',
): Graph {
  const graph = jsonObjectOf(entry['graph']);
  const { activeApp } = jsonObjectOf(entry['helium']);
  return {
    mode: typeof graph['mode'] === 'string' ? graph['mode'] : mode,
    height: normalizeHeight(graph['height'], height),
    optionOpen: graph['optionOpen'] === true,
    setting: settings(graph['setting']),
    commonSetting: jsonObjectOf(graph['commonSetting']),
    keys: columns(graph['keys']),
    groups: columns(graph['groups']),
    values: columns(graph['values']),
    activeApp: typeof activeApp === 'string' ? activeApp : undefined,
  };
}

/** The columns of a chart that are chosen. */
export const storedPivot = (columns: Pick<Graph, 'keys' | 'groups' | 'values'>) =>
  Object.fromEntries(Object.entries(columns).filter(([, part]) => part !== undefined));

/**
 * Applies a change to an entry. Unknown fields are preserved. Switching the view closes an
 * application shown in its place.
 */
export function patchResultEntry(
  entry: ResultEntry,
  { activeApp, ...patch }: GraphPatch,
  height = DEFAULT_RESULT_HEIGHT_PX,
  mode = 'table',
): ResultEntry {
  const stored = jsonObjectOf(entry['graph']);
  const { keys, groups, values, activeApp: _shown, ...complete } = graphOf(entry, height, mode);
  const pivot = storedPivot({ keys, groups, values });
  const next: Record<string, unknown> = {
    ...entry,
    graph: { ...stored, ...complete, ...pivot, ...patch },
  };
  const helium = entry['helium'];
  if (activeApp !== undefined && activeApp !== '')
    next['helium'] = { ...jsonObjectOf(helium), activeApp };
  else if (
    (patch.mode !== undefined || activeApp === '') &&
    isJsonObject(helium) &&
    'activeApp' in helium
  ) {
    const { activeApp: _, ...rest } = helium;
    next['helium'] = rest;
  }
  return next;
}
