/** Who starts a run, and the run on whose behalf its code makes requests. */
import type { ActingUser } from '../auth/permissions.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';

/** Identifies a paragraph across all notes. */
export const runKey = (noteId: string, paragraphId: string): string => `${noteId}/${paragraphId}`;

/**
 * Who starts a run, and from which address. The values of an embed token override those sent.
 * `behind`: the paragraphs whose code led to it, by {@link runKey}.
 */
export type RunInitiator = Pick<ActingUser, 'principal' | 'embed'> & {
  readonly address?: string;
  readonly behind?: readonly string[];
};

/** A run whose code makes a request. */
export interface CodeRequest {
  readonly note: StoredNote;
  readonly paragraph: StoredParagraph;
  readonly by: RunInitiator;
  /** Group of the values that its interpreter shares. */
  readonly group: string;
}
