import type { Channel } from '../channel/channel.ts';
import { paragraphOf } from '../core/state.ts';
import type { ClientContext } from '../session/client-context.ts';

/** Minimum interval between announcements, in ms. */
const TELL_MS = 200;
/** Time within which an edit has been sent, in ms. The cursor is announced after it. */
const TYPED_MS = 400;

/**
 * A cursor position. Offsets are in UTF-16 code units of the paragraph's text in this client.
 * Without a paragraph, the cursor is nowhere.
 */
export interface CursorPosition {
  /** Id of the paragraph. */
  readonly paragraphId?: string | undefined;
  /** Start of the selection. */
  readonly anchor?: number | undefined;
  /** Position of the cursor, which is the end of the selection. */
  readonly head?: number | undefined;
}

/**
 * Announces this client's cursor in one open note, rarely and only while there are other viewers.
 */
export class PresenceAnnouncer {
  readonly #context: ClientContext;
  readonly #noteId: string;
  readonly #channel: Channel;
  #place: CursorPosition = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  #hasOthers = false;

  constructor(context: ClientContext, noteId: string, channel: Channel) {
    this.#context = context;
    this.#noteId = noteId;
    this.#channel = channel;
    channel.on('state', (state) => {
      if (state !== 'open') this.#hasOthers = false;
    });
  }

  /**
   * Sets whether there are other viewers. If they are new, announces this client even without a
   * cursor, so that they learn its name.
   */
  setHasOthers(hasOthers: boolean): void {
    const first = hasOthers && !this.#hasOthers;
    this.#hasOthers = hasOthers;
    if (first) this.#soon(0);
  }

  /** Announces a new cursor position. */
  announce({ paragraphId, anchor, head }: CursorPosition): void {
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

  /** An edit of the paragraph was sent, so its cursor position can follow. */
  editSent(paragraphId: string): void {
    if (this.#timer === undefined || this.#place.paragraphId !== paragraphId) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#soon(0);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #soon(wait: number): void {
    if (!this.#hasOthers) return;
    const left = Math.max(wait, this.#sentAt + TELL_MS - performance.now());
    if (left <= 0 && this.#timer === undefined) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), Math.min(left, TYPED_MS));
  }

  #send(): void {
    this.#timer = undefined;
    const { store, session } = this.#context;
    // Pages that use an embed token have no user name of their own.
    if (
      !this.#hasOthers ||
      this.#channel.state !== 'open' ||
      !store.get().server?.presence ||
      session.current?.principal.startsWith('embed:')
    )
      return;
    this.#sentAt = performance.now();
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
