import type { Note } from '@tiding/client';
import { isTrashed } from '@tiding/client/model';
import { createViewStore } from '../../runtime/store.ts';
import { isBare, type Look } from '../paragraph/look.ts';
import type { Messages } from './messages.ts';
import type { NoteRights } from './rights.ts';

interface LayoutState {
  /** The layout shown: set by the host page, or chosen on this page, or the note's own. */
  readonly look: Look;
  /** Layout chosen on this page only, for users who can't change the note, and in revisions. */
  readonly ownLook: Look | undefined;
}

/** The layout of a note page, and whether the note can be changed in it. */
export class NoteLayout {
  readonly state = createViewStore<LayoutState>({ look: 'default', ownLook: undefined });
  readonly #note: Note;
  readonly #messages: Messages;
  readonly #rights: NoteRights;

  constructor(note: Note, messages: Messages, rights: NoteRights) {
    this.#note = note;
    this.#messages = messages;
    this.#rights = rights;
  }

  /** The layout shown. */
  get look(): Look {
    return this.state.get().look;
  }

  /**
   * Whether the note can be changed here: not in report or embed layout, not in a revision, and not
   * while it is in the trash.
   */
  get editable(): boolean {
    const { revision, path } = this.#note;
    return revision === undefined && !isBare(this.look) && !isTrashed(path);
  }

  /** Whether this user can change the note here: {@link editable}, and they may. */
  get writable(): boolean {
    return this.editable && this.#rights.allows('writer');
  }

  /** Changes the layout: the note's, or only this page's if the note can't be changed. */
  readonly choose = (look: Look): void => {
    if (this.#note.revision === undefined && this.#rights.allows('writer'))
      void this.#messages.act(() => this.#note.configure({ looknfeel: look }));
    else this.state.set({ ownLook: look });
  };
}
