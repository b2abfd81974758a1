/** Builds sentences about objects from the texts. */

import type { WidgetId } from '@tiding/client/widgets';
import { formatInteger } from '../result/parts/numbers.ts';
import { fill } from '../text/fill.ts';
import { widgetTexts } from './texts.ts';

/** Texts for one thing, and for any other number with `{n}`. */
interface Counted {
  readonly one: string;
  readonly many: string;
}

/** Returns `1 run` or `3 runs`. */
export function counted(n: number, { one, many }: Counted): string {
  return n === 1 ? one : fill(many, { n: formatInteger(n) });
}

/** Returns `Cluster main_cluster`, or only the kind if there is no name. */
export function titled(widget: WidgetId, name: string | undefined): string {
  const kind = widgetTexts.names[widget] ?? widget;
  return name ? fill(widgetTexts.titled, { kind, name }) : kind;
}

/** Joins sentences; missing ones are skipped. */
export function sentences(...said: readonly (string | undefined | false)[]): string {
  return said.filter(Boolean).join(' ');
}

/** Formats a list in the user's language: `a, b, and c`. */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat(undefined, { type: 'unit' }).format(items);
}

/** Returns `core.trips`, or only the name if the rest is unknown. */
export const dottedName = (...names: readonly (string | undefined)[]): string =>
  names.filter(Boolean).join('.');
