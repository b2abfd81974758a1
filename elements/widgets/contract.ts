/** What a widget brings: how its payload is drawn, and told in words. One folder a family, one line in its index. */
import type { FunctionComponent } from 'react';
import type { Client } from 'tiding/client';
import type { WidgetData, WidgetId } from 'tiding/widgets';

/** What the view of a widget is given. */
export interface WidgetProps<Data> {
  /** Fits its schema; what is missing is absent. */
  readonly data: Data;
  /** The element in the page. */
  readonly host: HTMLElement;
  /** For what asks a server: downloads, live rows. Absent for data alone. */
  readonly client: Client | undefined;
  /** Address of the server, where one is named; for links of files. */
  readonly server: string | undefined;
}

/** How a payload is shown. */
export interface WidgetModule<Data> {
  /** Draws it. */
  readonly View: FunctionComponent<WidgetProps<Data>>;
  /** A summary in a sentence or a few, out of the replaceable texts: for screen readers, alternative texts of exports, and hosts. */
  readonly describe: (data: Data) => string;
  /** Sheets beside those that all widgets wear, as text. */
  readonly sheets?: readonly string[];
}

/** Where the code of a widget comes from when it is first shown: `() => import('./project.tsx').then(({ project }) => project)`. */
export type WidgetViews = {
  readonly [Id in WidgetId]: () => Promise<WidgetModule<WidgetData<Id>>>;
};

/** The detail of `tiding-open-object`: the reader has chosen the name of an object. A host may navigate; nothing happens by itself. */
export interface OpenObject {
  /** The widget that would show it: `table`, `job`, `user`… */
  readonly widget: WidgetId;
  /** Dotted: `core.trips`, `flights.daily_load`. */
  readonly name: string;
}
