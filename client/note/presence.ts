/** Where this page's cursor is, told to the others on the note: seldom, and only while there are any. */
import type { Channel } from '../channel/channel.ts';
import type { Context } from '../context.ts';
import { paragraphOf } from '../state.ts';

/** Told at most this often, in ms. */
const TELL_MS = 200;
/** What is typed is on its way to the others by then, in ms; its cursor comes behind it. */
const TYPED_MS = 400;

/** A cursor: offsets in UTF-16 units into the text of a paragraph as it stands on this page. Without a paragraph: in none. */
export interface Place {
  /** Id of the paragraph. */
  readonly paragraphId?: string | undefined;
  /** Where the selection began. */
  readonly anchor?: number | undefined;
  /** Where the cursor is. */
  readonly head?: number | undefined;
}

/** The announcements of one open note. */
export class Presences {
  readonly #context: Context;
  readonly #noteId: string;
  readonly #channel: Channel;
  #place: Place = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;
  #together = false;

  constructor(context: Context, noteId: string, channel: Channel) {
    this.#context = context;
    this.#noteId = noteId;
    this.#channel = channel;
    channel.on('state', (state) => {
      if (state !== 'open') this.#together = false;
    });
  }

  /** Whether others are on the note. Who learns it says where he is, also when he is nowhere: so the others know his name. */
  together(together: boolean): void {
    const first = together && !this.#together;
    this.#together = together;
    if (first) this.#soon(0);
  }

  /** The cursor moved. */
  announce({ paragraphId, anchor, head }: Place): void {
    if (
      this.#place.paragraphId === paragraphId &&
      this.#place.anchor === anchor &&
      this.#place.head === head
    )
      return;
    this.#place = { paragraphId, anchor, head };
    const typing =
      paragraphOf(this.#context.store.get().open[this.#noteId], paragraphId ?? '')?.draft !==
      undefined;
    this.#soon(typing ? TYPED_MS : 0);
  }

  /** What was typed there is sent: its cursor may follow. */
  typed(paragraphId: string): void {
    if (this.#timer === undefined || this.#place.paragraphId !== paragraphId) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#soon(0);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #soon(wait: number): void {
    if (!this.#together) return;
    const left = Math.max(wait, this.#toldAt + TELL_MS - Date.now());
    if (left <= 0 && this.#timer === undefined) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), Math.min(left, TYPED_MS));
  }

  #tell(): void {
    this.#timer = undefined;
    const { store, session } = this.#context;
    // Pages with a token of somebody's have no name of their own.
    if (
      !this.#together ||
      this.#channel.state !== 'open' ||
      !store.get().server?.presence ||
      session.current?.principal.startsWith('embed:')
    )
      return;
    this.#toldAt = Date.now();
    const { paragraphId, anchor, head } = this.#place;
    const paragraph = paragraphOf(store.get().open[this.#noteId], paragraphId ?? '');
    const at =
      paragraph && !paragraph.removed
        ? {
            paragraphId,
            anchor,
            head,
            ...(paragraph.draft === undefined ? { rev: paragraph.server.rev } : {}),
          }
        : {};
    this.#channel.send('TIDING_PRESENCE', { noteId: this.#noteId, ...at }, { queue: false });
  }
}
