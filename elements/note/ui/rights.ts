import type { Client, Note } from '@tiding/client';
import { includesRight } from '@tiding/client/model';
import type { Right } from '@tiding/client/protocol';
import { loadRight, rightWithoutNote, whyNot } from '../../runtime/note-right.ts';
import { createViewStore, type ViewStore } from '../../runtime/store.ts';

/** What the user may do with an open note; everything until it is clear. */
export class NoteRights {
  readonly state: ViewStore<{ readonly right: Right }>;
  readonly #client: Client;
  readonly #note: Note;

  constructor(client: Client, note: Note) {
    this.state = createViewStore<{ readonly right: Right }>({
      right: rightWithoutNote(client) ?? 'owner',
    });
    this.#client = client;
    this.#note = note;
  }

  /** Reads the note's permissions again. */
  async load(): Promise<void> {
    this.state.set({ right: await loadRight(this.#client, this.#note.noteId) });
  }

  /** Whether the user has a right on the note. */
  allows(needed: Right): boolean {
    return includesRight(this.state.get().right, needed);
  }

  /** Returns why the user may not do what needs a right, or `undefined` if they may. */
  whyNot(needed: Right): string | undefined {
    const isPage = this.#client.session.current?.scope !== undefined;
    return whyNot(this.state.get().right, needed, { isPage });
  }
}
