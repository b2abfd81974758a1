/** Types of elements for host pages: members of every element, and the details of events. */
import type { Client, ErrorCode } from '@tiding/client';
import type { WidgetId, WidgetPayload } from '@tiding/client/widgets';
import type { TokenSource } from './clients.ts';

/** Members of every element. */
export interface TidingElement extends HTMLElement {
  /** Address of the server. Defaults to that of the nearest `<tiding-workbench>`. */
  server: string | undefined;
  /** Access token for pages on another origin: a string, or a function that returns one. */
  token: TokenSource | undefined;
  /** A client created by `createClient()`. It takes precedence over `server` and `token`. */
  client: Client | undefined;
  /** Name of a portal: elements of the page with the same name share its signals. */
  portal: string | undefined;
}

/** The payload of a widget, or an envelope around it. */
export type WidgetInput<Id extends WidgetId = WidgetId> =
  | WidgetPayload<Id>
  | { readonly widget: Id; readonly version?: number; readonly data: WidgetPayload<Id> };

/** A note. */
export interface NoteDetail {
  /** Id of the note. */
  readonly noteId: string;
}
/** A paragraph of a note. */
export interface ParagraphDetail extends NoteDetail {
  /** Id of the paragraph. */
  readonly paragraphId: string;
}
/** Nothing. */
export type EmptyDetail = Readonly<Record<never, never>>;

/** What the user selected in a result or widget. */
export interface SelectDetail extends Partial<ParagraphDetail> {
  /** Index of the output in the paragraph. */
  readonly output?: number;
  /** In a result keyed by column, and empty when the selection is cleared. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Description of the selected item, such as a series name or a node's label. */
  readonly label?: string;
}

/** Details of the events of all elements, by event name. */
export interface TidingEventDetails {
  /** The note or paragraph is shown. */
  'tiding-ready': NoteDetail & Partial<ParagraphDetail>;
  /**
   * The outputs in view are on the screen; after `tiding-ready`. Elements without a server have no
   * ids.
   */
  'tiding-painted': Partial<ParagraphDetail>;
  /** A run of the paragraph started. */
  'tiding-run-started': ParagraphDetail;
  /** A run of the paragraph ended. */
  'tiding-run-finished': ParagraphDetail & { readonly status: string };
  /** `null` if nothing is selected any more in a widget. */
  'tiding-select': SelectDetail | null;
  /** With `paragraphId` for a paragraph of the note, with `revisionId` for a revision. */
  'tiding-open-note': NoteDetail & Partial<ParagraphDetail> & { readonly revisionId?: string };
  /** The user wants to use a query; `text` is that of a paragraph. */
  'tiding-insert-query': {
    readonly connection: string;
    readonly query: string;
    readonly text: string;
  };
  /** The note's name was loaded or changed. */
  'tiding-note-path': NoteDetail & { readonly path: string };
  /** The note can't be opened. */
  'tiding-note-missing': NoteDetail & {
    readonly revisionId?: string;
    readonly code: string;
    readonly message: string;
  };
  /** The note was removed, or the user chose to leave it. */
  'tiding-note-left': NoteDetail;
  /** The user lacks a permission and wants to sign in. */
  'tiding-sign-in-wanted': { readonly message: string };
  /** The user has no access; navigate to the home page. */
  'tiding-home-wanted': EmptyDetail;
  /**
   * An operation failed. Errors of scripts in outputs have no `code`; `reason` says why the token
   * can no longer be used, if the code is `signed-out`.
   */
  'tiding-error': {
    readonly message: string;
    readonly code?: ErrorCode;
    readonly reason?: string;
  };
  /** The content has a new height, in px. */
  'tiding-resize': { readonly height: number };
  /** A user signed in. */
  'tiding-signed-in': EmptyDetail;
  /** The browser is about to navigate to `address`. */
  'tiding-single-sign-on': { readonly address: string };
  /** The new password was set; `message` is a text for the user. */
  'tiding-password-set': { readonly message: string };
  /** The user is likely to open the page at `path` next. */
  'tiding-near': { readonly path: string };
  /** Empty if the current cluster was unset. */
  'tiding-cluster-changed': { readonly clusterId?: string; readonly name?: string };
  /** Without values and bounds if the filter was cleared. */
  'tiding-filter-changed': {
    readonly portal: string;
    readonly column: string;
    readonly values?: readonly (string | number | boolean | null)[];
    readonly from?: number | string | undefined;
    readonly to?: number | string | undefined;
  };
  /** The user wants to sign out. */
  'tiding-logout-wanted': EmptyDetail;
  /** `widget` is `note` for a note, whose id is the `name`. */
  'tiding-open-object': { readonly widget: string; readonly name: string };
}

/** Name of an event of an element. */
export type TidingEventName = keyof TidingEventDetails;
/** An event of an element. It bubbles and crosses shadow roots. */
export type TidingEvent<Name extends TidingEventName = TidingEventName> = CustomEvent<
  TidingEventDetails[Name]
>;
