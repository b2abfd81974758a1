/** What an output frame and the page around it may say to each other; the frame is believed in nothing else. */

/** The look a frame's content is given. */
export interface FrameTheme {
  readonly colorScheme: 'light' | 'dark';
  /** Private custom properties by name, `--_text` and the like. */
  readonly vars: Readonly<Record<string, string>>;
}

/** From the page to the frame, through the port. */
export type ToFrame = { readonly type: 'content'; readonly html: string; readonly theme: FrameTheme } | { readonly type: 'theme'; readonly theme: FrameTheme };

/** From the frame to the page, through the port. */
export type FromFrame =
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'open-link'; readonly href: string };

/** Properties the frame's sheet uses. */
export const frameVars = [
  '--_text', '--_text-secondary', '--_text-tertiary', '--_text-link', '--_surface', '--_surface-hover', '--_surface-sunken',
  '--_border', '--_border-strong', '--_radius-xs', '--_radius-sm', '--_font-prose', '--_font-sans', '--_font-mono', '--_text-sm',
  '--_text-md', '--_leading-md', '--_text-lg', '--_leading-lg', '--_text-xl', '--_leading-xl', '--_text-2xl', '--_leading-2xl',
  '--_text-code', '--_leading-code', '--_weight-regular', '--_weight-medium', '--_weight-strong',
] as const;

/** Heights outside are clamped. */
export const maxFrameHeight = 20_000;
/** A message larger than this is no message. */
export const maxMessageSize = 64 * 1024;
/** More messages than this in a second and the frame goes. */
export const maxMessageRate = 60;
