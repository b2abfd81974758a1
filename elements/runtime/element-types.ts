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
}

/** The payload of a widget, or an envelope around it. */
export type WidgetInput<Id extends WidgetId = WidgetId> =
  | WidgetPayload<Id>
  | { readonly widget: Id; readonly version?: number; readonly data: WidgetPayload<Id> };

/** A note. */
interface NoteDetail {
  readonly noteId: string;
}
/** A paragraph of a note. */
interface ParagraphDetail extends NoteDetail {
  readonly paragraphId: string;
}
/** Nothing. */
export type EmptyDetail = Readonly<Record<never, never>>;

/**
 * What the user selected in a result or widget. In a result, `values` is keyed by column, and empty
 * when the selection is cleared.
 */
export interface SelectDetail extends Partial<ParagraphDetail> {
  /** Index of the output in the paragraph. */
  readonly output?: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Description of the selected item, such as a series name or a node's label. */
  readonly label?: string;
}

/** Details of the events of all elements, by event name. */
export interface TidingEventDetails {
  'tiding-ready': NoteDetail & Partial<ParagraphDetail>;
  'tiding-run-started': ParagraphDetail;
  'tiding-run-finished': ParagraphDetail & { readonly status: string };
  /** `null` if nothing is selected any more in a widget. */
  'tiding-select': SelectDetail | null;
  /** With `paragraphId` for a paragraph of the note, with `revisionId` for a revision. */
  'tiding-open-note': NoteDetail & Partial<ParagraphDetail> & { readonly revisionId?: string };
  'tiding-note-path': NoteDetail & { readonly path: string };
  'tiding-note-missing': NoteDetail & {
    readonly revisionId?: string;
    readonly code: string;
    readonly message: string;
  };
  'tiding-note-left': NoteDetail;
  'tiding-sign-in-wanted': { readonly message: string };
  'tiding-home-wanted': EmptyDetail;
  'tiding-error': {
    readonly message: string;
    /** Errors of scripts in outputs have no code. */
    readonly code?: ErrorCode;
    /** Why the token can no longer be used, if `code` is `signed-out`. */
    readonly reason?: string;
  };
  /** In px. */
  'tiding-resize': { readonly height: number };
  'tiding-signed-in': EmptyDetail;
  'tiding-single-sign-on': { readonly address: string };
  'tiding-password-set': { readonly message: string };
  'tiding-near': { readonly path: string };
  /** Empty if the current cluster was unset. */
  'tiding-cluster-changed': { readonly clusterId?: string; readonly name?: string };
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
