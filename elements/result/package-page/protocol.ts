/** What the page of a package and the page around it may say to each other; the package is believed in nothing else. */
import type { FrameTheme } from '../frame-page/protocol.ts';

/** JSON, as a package keeps its settings. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
/** Settings of a package. */
export type Settings = { readonly [key: string]: Json };

/** A table as packages know it. */
export interface PackageTable {
  readonly columns: readonly {
    readonly name: string;
    readonly index: number;
    readonly aggr: string;
  }[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly comment: string;
}

/** A package that is on, with its script. */
export interface Script {
  readonly id: string;
  readonly code: string;
}

/** From the page to the frame, through the port. */
export type ToPackage =
  /** Draws a view. `open`: its own settings are shown; `height`: of what it draws, px. */
  | {
      readonly type: 'show';
      readonly script: Script;
      readonly config: Settings;
      readonly table: PackageTable;
      readonly open: boolean;
      readonly height: number;
      readonly theme: FrameTheme;
    }
  | { readonly type: 'config'; readonly config: Settings }
  | { readonly type: 'table'; readonly table: PackageTable }
  | { readonly type: 'place'; readonly open: boolean; readonly height: number }
  | { readonly type: 'theme'; readonly theme: FrameTheme }
  /** Lets a spell read a text, in a worker of its own. */
  | {
      readonly type: 'interpret';
      readonly run: number;
      readonly script: Script;
      readonly text: string;
      readonly config: Settings;
    }
  | { readonly type: 'stop'; readonly run: number }
  /** Lets a spell read a text here, and the function that its part `part` is draw into this page. */
  | {
      readonly type: 'element';
      readonly script: Script;
      readonly text: string;
      readonly config: Settings;
      readonly part: number;
      readonly theme: FrameTheme;
    };

/** A choice of columns for names that a package has given. */
export interface ColumnProp {
  readonly name: string;
  readonly tooltip: string;
}

/** An axis of a chart of the advanced transformation. */
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
  readonly defaultValue: Json;
  readonly optionValues: readonly Json[];
}

/** A chart of the advanced transformation. */
export interface ChartSpec {
  readonly name: string;
  readonly axes: readonly AxisSpec[];
  readonly parameters: readonly ParameterSpec[];
}

/** How the data of a view is chosen. Drawn by the page around, except what is the package's own. */
export type Panel =
  | { readonly kind: 'none' }
  | { readonly kind: 'columns'; readonly props: readonly ColumnProp[] }
  | { readonly kind: 'pivot' }
  | { readonly kind: 'network' }
  | { readonly kind: 'advanced'; readonly charts: readonly ChartSpec[]; readonly config: Settings };

/** A part of what a spell printed: a text of a type, a text yet to be split at magics, or a function that draws (its number). */
export type SpellPart =
  | { readonly type: string | null; readonly data: string }
  | { readonly type: 'ELEMENT'; readonly part: number };

/** From the frame to the page, through the port. */
export type FromPackage =
  /** It has drawn. */
  | { readonly type: 'drawn' }
  | { readonly type: 'panel'; readonly panel: Panel; readonly own: boolean }
  | { readonly type: 'config'; readonly config: Settings }
  /** Height of what stands beside the view (its own settings), or of an element, px. */
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'open-link'; readonly href: string }
  | { readonly type: 'parts'; readonly run: number; readonly parts: readonly SpellPart[] }
  | { readonly type: 'failed'; readonly run: number; readonly message: string };

/** Characters of a result that a spell may print; all else of a frame is as small as its messages elsewhere. */
export const maxSpellOutput = 2 * 2 ** 20;
/** Parts of one result. */
export const maxParts = 100;
