/** What an output frame and the page around it may say to each other; the frame is believed in nothing else. */

/** The look a frame's content is given. */
export interface FrameTheme {
  readonly colorScheme: 'light' | 'dark';
  /** Private custom properties by name, `--_text` and the like. */
  readonly vars: Readonly<Record<string, string>>;
}

/** Names with their values, which are plain JSON. */
export type Values = readonly (readonly [name: string, value: unknown])[];

/** From the page to the frame, through the port. */
export type ToFrame =
  /** The output. In a frame that has been given one before, what is shown is replaced, and scripts in it do not run. */
  | {
      readonly type: 'content';
      readonly html: string;
      readonly theme: FrameTheme;
      readonly values: Values;
    }
  | { readonly type: 'theme'; readonly theme: FrameTheme }
  /** Values that the output is bound to: those that became others, and names that are gone. */
  | { readonly type: 'values'; readonly set: Values; readonly unset: readonly string[] }
  /** Marks what an expression matches, the `current` one (from 0) as such, and brings it into view; an empty `source` marks nothing. */
  | {
      readonly type: 'mark';
      readonly source: string;
      readonly flags: string;
      readonly current: number;
    };

/** What scripts of a bound output may ask for: the object `z`. An id that is not given is `''`. */
export type FrameCall =
  | { readonly call: 'run'; readonly paragraphId: string }
  | {
      readonly call: 'set';
      readonly name: string;
      readonly value: unknown;
      readonly paragraphId: string;
    }
  | { readonly call: 'unset'; readonly name: string; readonly paragraphId: string };

/** From the frame to the page, through the port. */
export type FromFrame =
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'open-link'; readonly href: string }
  /** The current mark is that far from the top of the frame, in px. */
  | { readonly type: 'marked'; readonly top: number }
  /** Bound values that were changed in the frame. */
  | { readonly type: 'angular-set'; readonly values: Values }
  | ({ readonly type: 'call' } & FrameCall);

/** Properties the frame's sheet uses. */
export const frameVars = [
  '--_text',
  '--_text-secondary',
  '--_text-tertiary',
  '--_text-link',
  '--_surface',
  '--_surface-hover',
  '--_surface-sunken',
  '--_border',
  '--_border-strong',
  '--_border-control',
  '--_find-match',
  '--_find-current',
  '--_radius-xs',
  '--_radius-sm',
  '--_font-prose',
  '--_font-sans',
  '--_font-mono',
  '--_text-sm',
  '--_text-md',
  '--_leading-md',
  '--_text-lg',
  '--_leading-lg',
  '--_text-xl',
  '--_leading-xl',
  '--_text-2xl',
  '--_leading-2xl',
  '--_text-code',
  '--_leading-code',
  '--_weight-regular',
  '--_weight-medium',
  '--_weight-strong',
] as const;

/** Heights outside are clamped. */
export const maxFrameHeight = 20_000;
/** A message larger than this is no message. */
export const maxMessageSize = 64 * 1024;
/** More messages than this in a second and the frame goes. */
export const maxMessageRate = 60;
/** Characters of a name of a value, and of an id. */
export const maxNameLength = 255;
/** Values in one message. */
export const maxValues = 200;
