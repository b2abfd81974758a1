/** Who starts a run, its state, and the run on whose behalf its code makes requests. */
import type { ActingUser } from '../auth/permissions.ts';
import type { TerminalProgram } from '../interpreters/contract.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { OutputStream } from './output/output.ts';

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

/** Where the code of a run is executed. */
export interface RunPlace {
  /** Id of the setting of its interpreter. */
  readonly interpreter: string;
  /** Value group of its instance; users with another one have other processes. */
  readonly group: string;
}

/** A terminal that users may type into. */
interface RunningTerminal extends RunPlace {
  readonly program: TerminalProgram;
}

/** A question that waits for an answer. */
interface PendingQuestion extends RunPlace {
  readonly id: string;
  answer(text: string): void;
}

/** A queued or current run. */
export interface CurrentRun {
  readonly abort: AbortController;
  readonly end: Promise<void>;
  progress: number;
  isOn: boolean;
  output?: OutputStream;
  terminal?: RunningTerminal;
  question?: PendingQuestion;
}
