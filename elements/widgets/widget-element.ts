/**
 * Specs of the widget elements: `<tiding-widget>` for any payload, and one for each kind of object.
 */
import type { WidgetId } from '@tiding/client/widgets';
import type { ElementSpec, EventSpec, LazyView, MethodSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

const events: readonly EventSpec[] = [
  {
    name: 'tiding-open-object',
    doc:
      'The user selected the name of an object; detail {widget, name}, for example {widget: ' +
      '"table", name: "core.trips"}.',
  },
  {
    name: 'tiding-select',
    doc:
      'The user selected a node, field or row; detail {values, label?}, or null if nothing is ' +
      'selected any more.',
  },
];
const dataProperty = (valueType: string) =>
  ({
    kind: 'json',
    valueType,
    doc:
      'The payload, or an envelope {widget, version, data}. Can also be given as a child ' +
      '<script type="application/json">.',
  }) as const;
const object = {
  kind: 'string',
  doc:
    'Name of an object on the server, for example core.trips; its payload is requested from ' +
    'the server. `data` takes precedence.',
} as const;

const methods: readonly MethodSpec[] = [
  {
    name: 'describe',
    doc: 'Returns a summary of what is shown, in a few sentences.',
    returns: 'Promise<string>',
  },
];

/** A shared view; the tag decides which widget it shows. */
const viewOf = (widget: WidgetId | undefined): LazyView =>
  lazyView(() =>
    import('./widget-view.tsx').then(({ widgetView, widgetSheets }) => ({
      default: widgetView(widget),
      sheets: widgetSheets,
    })),
  );

/** Widgets whose tags have another name. */
const renamed = { profile: 'data-set-profile', schedule: 'job-schedule' } as const;
type WidgetTag = `tiding-${WidgetId | keyof typeof renamed}`;

export function widgetElement(tag: WidgetTag, doc: string): ElementSpec {
  const name = tag.slice('tiding-'.length);
  const widget = (renamed as Record<string, WidgetId>)[name] ?? (name as WidgetId);
  const properties = { data: dataProperty(`WidgetInput<'${widget}'>`), object };
  return { tag, doc, view: viewOf(widget), properties, events, methods, widget };
}

/** The elements of a family of widgets, from the descriptions of their tags. */
export const widgetElements = (docs: { readonly [Tag in WidgetTag]?: string }): ElementSpec[] =>
  Object.entries(docs).map(([tag, doc]) => widgetElement(tag as WidgetTag, doc));

export const widget: ElementSpec = {
  tag: 'tiding-widget',
  doc:
    'Displays a platform object with the widget named by its envelope or by the `widget` ' +
    'attribute.',
  view: viewOf(undefined),
  properties: {
    widget: {
      kind: 'string',
      valueType: 'WidgetId',
      doc: 'Widget for data without an envelope: job-graph, data-set-profile, …',
    },
    data: dataProperty('WidgetInput'),
    object,
  },
  events,
  methods,
};
