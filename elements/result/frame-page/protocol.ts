/** Messages from the host page to an output frame. Its answers are in `frame-messages.ts`. */

import type { CommEvent, CommState } from '@tiding/client';

/** Theme passed to a frame. */
export interface FrameTheme {
  readonly colorScheme: 'light' | 'dark';
  /** Private custom properties by name, such as `--_text`. */
  readonly vars: Readonly<Record<string, string>>;
}

/** A Jupyter widget for a frame. */
export interface FrameWidget extends Pick<CommState, 'models'> {
  /** Id of the model to show. */
  readonly model: string;
  /** Whether the user may not change it. */
  readonly isReadOnly: boolean;
  /** Whether the kernel has ended, so that it can't be changed. */
  readonly hasEnded: boolean;
}

/** Names with their values, which are plain JSON. */
export type FrameValues = readonly (readonly [name: string, value: unknown])[];

/** Messages from the host page to the frame, sent through the port. */
export type ToFrame =
  /**
   * The output. If the frame already has content, it is replaced, and scripts in the new content
   * don't run.
   */
  | {
      readonly type: 'content';
      readonly html: string;
      readonly theme: FrameTheme;
      readonly values: FrameValues;
    }
  | { readonly type: 'theme'; readonly theme: FrameTheme }
  /** The widget that the output shows. `models` is empty if it can't be shown. */
  | ({ readonly type: 'widget' } & FrameWidget)
  /** Messages of the widget's kernel. */
  | { readonly type: 'comms'; readonly events: readonly CommEvent[] }
  /** Changed shared values, and names of removed ones. */
  | { readonly type: 'values'; readonly set: FrameValues; readonly unset: readonly string[] }
  /**
   * Highlights the matches of an expression and scrolls to match number `current` (starting at 0).
   * An empty `source` removes all highlights.
   */
  | {
      readonly type: 'mark';
      readonly source: string;
      readonly flags: string;
      readonly current: number;
    };

/** Custom properties used by the frame's style sheet. */
export const frameCssVariables = [
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
  '--_accent',
  '--_text-on-accent',
  '--_success-solid',
  '--_info-solid',
  '--_warning-solid',
  '--_danger-solid',
  '--_danger-text',
] as const;

/** Maximum height of a frame in px; larger values are clamped. */
export const MAX_FRAME_HEIGHT_PX = 20_000;
/** Maximum size of a message in characters; larger ones are dropped. */
export const MAX_MESSAGE_CHARACTERS = 64 * 1024;
/** Maximum number of messages per second; a frame that exceeds it is removed. */
export const MAX_MESSAGES_PER_SECOND = 60;
/** Maximum length of a value's name and of an id. */
export const MAX_NAME_CHARACTERS = 255;
/** Maximum number of values in a message. */
export const MAX_VALUES_PER_MESSAGE = 200;
/** Maximum number of messages for a kernel in one message of a frame. */
export const MAX_COMMS_PER_MESSAGE = 20;
/** Minimum time between two messages of a frame with messages for a kernel, in ms. */
export const COMM_INTERVAL_MS = 40;
/** Maximum size of a message with messages for a kernel, in characters. */
export const MAX_COMMS_CHARACTERS = 8 * 2 ** 20;
