/** The base of a paragraph: its identity, state and draft, which its commands use. */
import type { CallOptions } from '../../core/abort.ts';
import { TidingError } from '../../core/errors.ts';
import type { Output } from '../../core/outputs.ts';
import { type ParagraphState, paragraphOf, paragraphText } from '../../core/state.ts';
import type { TextChange } from '../../model/text/text-change.ts';
import type { NoteConnection } from '../note-connection.ts';

/** Identity, state and draft of a paragraph. */
export class ParagraphHandle {
  /** Unique within the note, for example `20261121-070135_35893072`. */
  readonly id: string;
  /** @internal */
  readonly note: NoteConnection;

  /** @internal */
  constructor(note: NoteConnection, id: string) {
    this.note = note;
    this.id = id;
  }

  /** Current state. Throws `closed` if the paragraph was removed. */
  get state(): ParagraphState {
    const state = paragraphOf(this.note.state, this.id);
    if (!state) throw new TidingError('closed', `The paragraph ${this.id} no longer exists.`);
    return state;
  }

  /** The text that the user sees: the draft, or else the server's text. */
  get text(): string {
    return paragraphText(this.state);
  }

  /** The title on the server; `''` if there is none. */
  get title(): string {
    return this.state.server.title ?? '';
  }

  /** READY, PENDING, RUNNING, FINISHED, ABORT or ERROR. */
  get status(): string {
    return this.state.server.status ?? 'READY';
  }

  /** Outputs of the previous run, of the current one, or complete; see `state.outputPhase`. */
  get outputs(): readonly Output[] {
    return this.state.outputs;
  }

  /** Position in the note, starting at 0. */
  get index(): number {
    return this.note.state.order.indexOf(this.id);
  }

  /**
   * Changes the text. It is stored in the journal immediately and saved by `commit`, by a run, or
   * after the autosave delay. If the editor shows the text with a delay, pass the text that the
   * user edited as `from`: changes by others since then are kept. `change` is what the user did to
   * that text. Without it the texts are compared, which can't tell whether a letter that both have
   * was kept or typed again.
   */
  edit(text: string, from?: string, change?: TextChange): void {
    this.note.assertEditable('COMMIT_PARAGRAPH');
    this.note.drafts.edit(this.id, text, from, change);
  }

  /**
   * Saves the draft. Resolves when the server has acknowledged everything typed so far. Rejects
   * with `forbidden`, `server`, `conflict` or `timeout`; the text is kept in all cases.
   */
  commit(options: CallOptions = {}): Promise<void> {
    return this.note.drafts.commit(this.id, options);
  }

  /** Discards the local draft and resolves a conflict with the server's text. */
  discard(): void {
    this.note.drafts.discard(this.id);
  }

  /** Resolves a conflict with the local text and saves it over the server's. */
  keepMine(): Promise<void> {
    return this.note.drafts.keepOwn(this.id);
  }
}
