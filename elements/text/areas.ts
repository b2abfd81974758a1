/** The tables of texts, by area. Each registers itself when the code that shows it is loaded. */

type Branch = Record<string, unknown>;

const root: Branch = {};
const listeners = new Set<() => void>();

/** The texts of all areas that are loaded. */
export const allTexts: object = root;

/** The table at a path such as `widgets.jobs`; the empty path is the root. */
export const textBranch = (path: string): Branch | undefined =>
  path === ''
    ? root
    : (path.split('.').reduce<unknown>((at, key) => (at as Branch | undefined)?.[key], root) as
        | Branch
        | undefined);

/** Adds an area to the table, in `path`, and returns it. */
export function textArea<T extends object>(path: string, texts: T): T {
  let area = root;
  for (const key of path.split('.').filter(Boolean)) area = (area[key] ??= {}) as Branch;
  Object.assign(area, texts);
  for (const listener of listeners) listener();
  return area as T;
}

/** Calls `listener` after an area was added. */
export function onTextArea(listener: () => void): void {
  listeners.add(listener);
}
