/**
 * Interface of a widget: how to render and describe its payload. Each family has a folder, each
 * widget a line in the registry.
 */

import type { Client } from '@tiding/client';
import type { WidgetId } from '@tiding/client/widgets';
import type { FunctionComponent } from 'react';

export interface WidgetProps<Data> {
  /** Valid for its schema; missing parts are absent. */
  readonly data: Data;
  readonly host: HTMLElement;
  /** For downloads and live rows; `undefined` for a widget without a server. */
  readonly client: Client | undefined;
  /** URL of the server if one is set, for links to files. */
  readonly server: string | undefined;
}

/** How to display a payload. */
export interface WidgetModule<Data> {
  /** Renders the payload. */
  readonly View: FunctionComponent<WidgetProps<Data>>;
  /**
   * Summarises the payload in a few sentences, built from the replaceable texts; for screen
   * readers, alternative texts and hosts.
   */
  readonly describe: (data: Data) => string;
  /** Style sheets in addition to the shared ones, as text. */
  readonly sheets?: readonly string[];
}

/**
 * Detail of the `tiding-open-object` event: the user selected the name of an object. The host may
 * navigate; nothing happens by default.
 */
export interface OpenObject {
  /** The widget that displays it: `table`, `job`, `user`… A note has none and is called `note`. */
  readonly widget: WidgetId | 'note';
  /** Dotted name: `core.trips`, `flights.daily_load`. Of a note: its id. */
  readonly name: string;
}
