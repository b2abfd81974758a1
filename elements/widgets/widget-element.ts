/** Tags of widgets: `<tiding-widget>` for any payload, and one for each thing that people place. */
import type { WidgetId } from 'tiding/widgets';
import type { ElementSpec, EventSpec, MethodSpec } from '../runtime/define-element.ts';
import { lazyView, type LazyView } from '../runtime/lazy-view.tsx';

const events: readonly EventSpec[] = [
  {
    name: 'tiding-open-object',
    doc: 'The reader has chosen the name of an object; detail {widget, name}, for example {widget: "table", name: "core.trips"}.',
  },
  {
    name: 'tiding-select',
    doc: 'The reader has chosen something in it: a node, a field, a row; detail {values, label?}, or null when nothing is chosen any more.',
  },
];
const properties = {
  data: {
    kind: 'json',
    doc: 'What is shown: the payload, or an envelope {widget, version, data}. A child <script type="application/json"> says the same.',
  },
  object: {
    kind: 'string',
    doc: 'Name of an object of the server, core.trips: its payload is asked for there. Data stands before it.',
  },
} as const;

const methods: readonly MethodSpec[] = [
  {
    name: 'describe',
    doc: 'Says in a sentence or a few what is shown.',
    returns: 'Promise<string>',
  },
];

/** One view for all of them: which widget it draws is the tag's. */
const viewOf = (widget: WidgetId | undefined): LazyView =>
  lazyView(() =>
    import('./widget-view.tsx').then(({ widgetView, widgetSheets }) => ({
      default: widgetView(widget),
      sheets: widgetSheets,
    })),
  );

/** The tag of one widget. */
export function widgetElement(tag: `tiding-${string}`, widget: WidgetId, doc: string): ElementSpec {
  return { tag, doc, view: viewOf(widget), properties, events, methods, widget };
}

/** `<tiding-widget>` */
export const widget: ElementSpec = {
  tag: 'tiding-widget',
  doc: 'An object of the platform, shown by the widget that its envelope or the attribute widget names.',
  view: viewOf(undefined),
  properties: {
    widget: {
      kind: 'string',
      doc: 'Which widget shows the data, where that is no envelope: job-graph, data-set-profile, …',
    },
    ...properties,
  },
  events,
  methods,
};
