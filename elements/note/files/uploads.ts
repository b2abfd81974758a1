import type { Client, Note } from '@tiding/client';
import { createViewStore, type ViewStore } from '../../runtime/store.ts';
import type { Dialogs } from '../ui/dialogs.tsx';
import type { Editors } from '../ui/editors.ts';
import type { Messages } from '../ui/messages.ts';
import type { ParagraphOperations } from '../ui/paragraphs.ts';
import type { NoteRights } from '../ui/rights.ts';
import type { UndoStack } from '../undo-stack.ts';
import type { UploadQueue } from './upload-queue.ts';

/** The upload in progress, and whether files are dragged over the note. */
export interface UploadState {
  /** Name of the file that is being uploaded. */
  readonly name: string | undefined;
  /** Uploaded share of that file, 0 to 1. */
  readonly share: number;
  /** Whether the server reads the tables of the uploaded file. */
  readonly isReading: boolean;
  /** Number of files that follow. */
  readonly waiting: number;
  readonly isOver: boolean;
}

/** What uploads use of the page of a note. */
export interface UploadContext {
  readonly client: Client;
  readonly note: Note;
  readonly messages: Messages;
  readonly dialogs: Dialogs;
  readonly paragraphs: ParagraphOperations;
  readonly undo: UndoStack;
  readonly rights: NoteRights;
  readonly editors: Editors;
}

/** Where the paragraph of a file is added, or where an image is inserted. */
export interface FilePlace {
  /** Id of the paragraph that the new one follows. Default: the last one. */
  readonly after?: string | undefined;
  /** Id of the Markdown paragraph in whose editor images are inserted, at the cursor. */
  readonly into?: string | undefined;
}

/**
 * Uploads data files and images to a note. Each gets a paragraph that reads it, and one with a
 * chart if a column suits. Images can be inserted into a Markdown paragraph instead.
 */
export class Uploads {
  readonly state: ViewStore<UploadState> = createViewStore<UploadState>({
    name: undefined,
    share: 0,
    isReading: false,
    waiting: 0,
    isOver: false,
  });
  readonly #context: UploadContext;
  #queue: UploadQueue | undefined;

  constructor(context: UploadContext) {
    this.#context = context;
  }

  /**
   * Uploads files one after another. Shows an error for each file that can't be read or uploaded.
   */
  readonly add = (files: readonly File[], place: FilePlace = {}): void =>
    void this.#context.messages.act(async () => {
      const module = await import('./upload-queue.ts');
      this.#queue ??= new module.UploadQueue(this.#context, this.state);
      this.#queue.add(files, place);
    });

  /** Cancels the current upload; the next one begins. */
  readonly cancel = (): void => this.#queue?.cancel();
}
