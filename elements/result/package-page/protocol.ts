/**
 * Messages between a package's page and the host page. The host page validates every message from a
 * package.
 */
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
  | { readonly type: 'stop'; readonly run: number }
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

/** A named property of a package to which columns can be assigned. */
interface ColumnProp {
  readonly name: string;
  readonly tooltip: string;
}

/** An axis of a chart of an advanced transformation. */
export interface AxisSpec {
  readonly name: string;
  readonly dimension: 'single' | 'multiple';
  readonly axisType: string;
  readonly description: string;
  readonly minAxisCount: number;
  readonly maxAxisCount: number;
}

/** A parameter of such a chart. */
export interface ParameterSpec {
  readonly name: string;
  readonly description: string;
  readonly valueType: string;
  readonly widget: 'input' | 'option' | 'checkbox' | 'textarea';
  readonly defaultValue: PackageJson;
  readonly optionValues: readonly PackageJson[];
}

/** A chart of an advanced transformation. */
export interface ChartSpec {
  readonly name: string;
  readonly axes: readonly AxisSpec[];
  readonly parameters: readonly ParameterSpec[];
}

/**
 * How the data of a view is selected. The host page renders the panel, unless the package has its
 * own template.
 */
export type PackagePanelSpec =
  | { readonly kind: 'none' }
  | { readonly kind: 'columns'; readonly props: readonly ColumnProp[] }
  | { readonly kind: 'pivot' }
  | { readonly kind: 'network' }
  | {
      readonly kind: 'advanced';
      readonly charts: readonly ChartSpec[];
      readonly config: PackageSettings;
    };

/**
 * A part of a spell's result: a text with a type, a text still to be split at magics (type null),
 * or a function that draws, given by its index.
 */
export type SpellPart =
  | { readonly type: string | null; readonly data: string }
  | { readonly type: 'ELEMENT'; readonly part: number };

/** Messages from the frame to the host page, sent through the port. */
export type FromPackage =
  /** The view was drawn. */
  | { readonly type: 'drawn' }
  | { readonly type: 'panel'; readonly panel: PackagePanelSpec; readonly own: boolean }
  | { readonly type: 'config'; readonly config: PackageSettings }
  /** Height in px of the package's own settings next to the view, or of an element. */
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'open-link'; readonly href: string }
  | { readonly type: 'parts'; readonly run: number; readonly parts: readonly SpellPart[] }
  | { readonly type: 'failed'; readonly run: number; readonly message: string };

/** Maximum size of a spell's result in characters. Other messages have the usual limit. */
export const MAX_SPELL_OUTPUT_CHARACTERS = 2 * 2 ** 20;
/** Maximum number of parts in a result. */
export const MAX_SPELL_PARTS = 100;
