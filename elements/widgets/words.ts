/** Sentences about objects, put together from the texts. */
import { fill, text } from '../text/en.ts';
import { formatInteger } from '../result/numbers.ts';
import type { WidgetId } from 'tiding/widgets';

/** What is said of one, and of any other number with `{n}`. */
export interface Counted {
  readonly one: string;
  readonly many: string;
}

/** `1 run`, `3 runs`. */
export function counted(n: number, { one, many }: Counted): string {
  return n === 1 ? one : fill(many, { n: formatInteger(n) });
}

/** `Cluster main_cluster`; the kind alone where it has no name. */
export function titled(widget: WidgetId, name: string | undefined): string {
  const kind = text.widgets.names[widget] ?? widget;
  return name ? fill(text.widgets.titled, { kind, name }) : kind;
}

/** Sentences in a row; what is not there is left out. */
export function sentences(...said: readonly (string | undefined | false)[]): string {
  return said.filter(Boolean).join(' ');
}

/** Things in a row, as the reader's language puts them: `a, b, and c`. */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat(undefined, { type: 'unit' }).format(items);
}

/** `core.trips`; the name alone where the rest is not known. */
export const dotted = (...names: readonly (string | undefined)[]): string =>
  names.filter(Boolean).join('.');
