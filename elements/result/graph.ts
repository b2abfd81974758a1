import type { PivotConfig } from 'tiding/model';

/** A column as graph settings keep it. */
export type GraphColumn = PivotConfig['keys'][number];

/** Height of a result that nobody has resized. */
export const defaultHeight = 300;
/** No handle goes below this. */
export const minHeight = 100;

/** Graph settings of one output, complete. */
export interface Graph {
  /** Id of the chosen view. */
  readonly mode: string;
  /** In px. */
  readonly height: number;
  /** The filter row or the fields are open. */
  readonly optionOpen: boolean;
  /** View id → that view's settings. */
  readonly setting: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What all views share. */
  readonly commonSetting: Readonly<Record<string, unknown>>;
  /** Columns of the x axis; absent until some were chosen. */
  readonly keys: readonly GraphColumn[] | undefined;
  /** Columns that make series. */
  readonly groups: readonly GraphColumn[] | undefined;
  /** Columns that are drawn, each with its aggregation. */
  readonly values: readonly GraphColumn[] | undefined;
  /** Id of the application that is shown in place of the result; in a change `''` for none. Kept beside the graph. */
  readonly activeApp?: string | undefined;
}

/** A change of graph settings. */
export type GraphPatch = Partial<Graph>;

/** One entry of `config.results`, with whatever else it holds. */
export type ResultEntry = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entry of an output; `results` is an object or an array by output index, both occur. */
export function entryOf(
  config: Readonly<Record<string, unknown>> | undefined,
  index: number,
): ResultEntry {
  const results = config?.['results'];
  const entry = Array.isArray(results)
    ? results[index]
    : isRecord(results)
      ? results[String(index)]
      : undefined;
  return isRecord(entry) ? entry : {};
}

/** A height as the handle and the stored settings may give it: below 50 is taken for unset, below 100 for 100. */
export function cleanHeight(height: unknown, fallback = defaultHeight): number {
  const value = typeof height === 'string' ? Number(height) : height;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 50) return fallback;
  return Math.max(minHeight, Math.round(value));
}

function columns(value: unknown): GraphColumn[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(
    (entry): entry is GraphColumn =>
      isRecord(entry) && typeof entry['name'] === 'string' && typeof entry['index'] === 'number',
  );
}

function settings(value: unknown): Graph['setting'] {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, Record<string, unknown>] =>
      isRecord(pair[1]),
    ),
  );
}

/** The graph settings of an entry, every gap filled; `mode` is the view where none was chosen. */
export function graphOf(entry: ResultEntry, height = defaultHeight, mode = 'table'): Graph {
  const graph = isRecord(entry['graph']) ? entry['graph'] : {};
  return {
    mode: typeof graph['mode'] === 'string' ? graph['mode'] : mode,
    height: cleanHeight(graph['height'], height),
    optionOpen: graph['optionOpen'] === true,
    setting: settings(graph['setting']),
    commonSetting: isRecord(graph['commonSetting']) ? graph['commonSetting'] : {},
    keys: columns(graph['keys']),
    groups: columns(graph['groups']),
    values: columns(graph['values']),
    activeApp:
      isRecord(entry['helium']) && typeof entry['helium']['activeApp'] === 'string'
        ? entry['helium']['activeApp']
        : undefined,
  };
}

/**
 * The entry after a change. Fields nobody here knows stay as they are; another view ends the activity of an application
 * that was shown in its place.
 */
export function patchEntry(
  entry: ResultEntry,
  { activeApp, ...patch }: GraphPatch,
  height = defaultHeight,
  mode = 'table',
): ResultEntry {
  const stored = isRecord(entry['graph']) ? entry['graph'] : {};
  const { keys, groups, values, activeApp: _shown, ...complete } = graphOf(entry, height, mode);
  const pivot = Object.fromEntries(
    Object.entries({ keys, groups, values }).filter(([, part]) => part !== undefined),
  );
  const next: Record<string, unknown> = {
    ...entry,
    graph: { ...stored, ...complete, ...pivot, ...patch },
  };
  const helium = entry['helium'];
  if (activeApp !== undefined && activeApp !== '')
    next['helium'] = { ...(isRecord(helium) ? helium : {}), activeApp };
  else if (
    (patch.mode !== undefined || activeApp === '') &&
    isRecord(helium) &&
    'activeApp' in helium
  ) {
    const { activeApp: _, ...rest } = helium;
    next['helium'] = rest;
  }
  return next;
}
