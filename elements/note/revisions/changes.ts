/** Changes of a paragraph besides its text: settings and outputs. */
import { isJsonObject } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';

export interface ParagraphSettingChange {
  /** Path of the setting: `title`, `config.colWidth`, `form.limit`. */
  readonly name: string;
  /** JSON of the value; `undefined` if the setting did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface OutputChange {
  /** Zero-based. */
  readonly index: number;
  readonly type: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Maximum number of changes listed. */
const MAX_CHANGES = 100;
/** Settings that the page derives from the text. */
const derived: ReadonlySet<string> = new Set(['config.editorSetting', 'config.editorMode']);

function* leaves(value: unknown, name: string, depth = 0): Generator<[string, string]> {
  if (derived.has(name)) return;
  if (isJsonObject(value) && depth < 6) {
    for (const [key, inner] of Object.entries(value))
      yield* leaves(inner, `${name}.${key}`, depth + 1);
  } else if (value !== undefined) yield [name, JSON.stringify(value) ?? ''];
}

const settingsOf = (paragraph: Paragraph | undefined): Map<string, string> =>
  new Map(
    paragraph
      ? [
          ...(paragraph.title
            ? [['title', JSON.stringify(paragraph.title)] as [string, string]]
            : []),
          ...leaves(paragraph.config, 'config'),
          ...leaves(paragraph.settings?.params, 'form'),
        ]
      : [],
  );

/** Settings that differ, by name; empty if one of the revisions lacks the paragraph. */
export function settingChanges(
  before: Paragraph | undefined,
  after: Paragraph | undefined,
): ParagraphSettingChange[] {
  if (!before || !after) return [];
  const [old, now] = [settingsOf(before), settingsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .slice(0, MAX_CHANGES)
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }));
}

/** Outputs that differ, by index. */
export function outputChanges(
  before: Paragraph | undefined,
  after: Paragraph | undefined,
): OutputChange[] {
  const [old, now] = [before?.results?.msg ?? [], after?.results?.msg ?? []];
  const longer = old.length > now.length ? old : now;
  return longer.flatMap((_, index) => {
    const [one, two] = [old[index], now[index]];
    if (one?.data === two?.data && one?.type === two?.type) return [];
    return [{ index, type: (two ?? one)!.type, before: one?.data, after: two?.data }];
  });
}
