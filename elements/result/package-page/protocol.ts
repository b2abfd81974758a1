/** Messages from the host page to a package page. Its answers are in `package-messages.ts`. */
import type { FrameTheme } from '../frame-page/protocol.ts';

/** JSON, the form of a package's settings. */
export type PackageJson =
  | null
  | boolean
  | number
  | string
  | readonly PackageJson[]
  | { readonly [key: string]: PackageJson };
export type PackageSettings = { readonly [key: string]: PackageJson };

/** A table in the form packages expect. */
export interface PackageTable {
  readonly columns: readonly {
    readonly name: string;
    readonly index: number;
    readonly aggr: string;
  }[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly comment: string;
}

export interface PackageScript {
  readonly id: string;
  readonly code: string;
}

/** Messages from the host page to the frame, sent through the port. */
export type ToPackage =
  /**
   * Draws a view. `open`: whether its settings are shown; `height`: height of the drawing in px.
   */
  | {
      readonly type: 'show';
      readonly script: PackageScript;
      readonly config: PackageSettings;
      readonly table: PackageTable;
      readonly open: boolean;
      readonly height: number;
      readonly theme: FrameTheme;
    }
  | { readonly type: 'config'; readonly config: PackageSettings }
  | { readonly type: 'table'; readonly table: PackageTable }
  | { readonly type: 'place'; readonly open: boolean; readonly height: number }
  | { readonly type: 'theme'; readonly theme: FrameTheme }
  /** Runs a spell on a text, in a worker. */
  | {
      readonly type: 'interpret';
      readonly run: number;
      readonly script: PackageScript;
      readonly text: string;
      readonly config: PackageSettings;
    }
  /**
   * Runs a spell on a text in this page, and lets the function at index `part` of its result draw.
   */
  | {
      readonly type: 'element';
      readonly script: PackageScript;
      readonly text: string;
      readonly config: PackageSettings;
      readonly part: number;
      readonly theme: FrameTheme;
    };

/** Maximum size of a spell's result in characters. Other messages have the usual limit. */
export const MAX_SPELL_OUTPUT_CHARACTERS = 2 * 2 ** 20;
/** Maximum number of parts in a result. */
export const MAX_SPELL_PARTS = 100;
