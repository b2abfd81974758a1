/**
 * The texts that connections have seen, for edits that don't name their base. Clients of Zeppelin
 * send the whole text of a paragraph, or a patch of the text that they show. Such an edit replaces
 * everything that its connection has received or has sent itself; only changes by others that had
 * not arrived when it was sent are merged with it. A WebSocket ping precedes each new text, and its
 * pong shows that the text has arrived. It doesn't follow the text: a program that reads one
 * message at a time would only answer it after the edit that it makes in response.
 */
import {
  applyTextChange,
  applyTextPatch,
  diffWords,
  mapTextChange,
  rebaseText,
  type TextChange,
  type TextHistory,
} from '@tiding/client/changes';
import type { ParagraphContent } from '@tiding/client/notebook';
import type { ReceivedOp, Receives, Sends } from '@tiding/client/protocol';
import type { LiveConnection } from '../hub/hub.ts';
import type { StoredParagraph } from './note.ts';

/** Maximum number of pings without a pong; then the oldest texts count as received. */
const MAX_PINGS = 1_000;

/** A revision of a paragraph's text. */
interface SentText {
  readonly id: string;
  readonly rev?: number | undefined;
}

/** What a connection shows of a paragraph, as far as its messages tell. */
interface ShownText {
  readonly text: string;
  /** Changes by others that had not arrived, oldest first. After them, `text` is that of `rev`. */
  readonly unseen: readonly { readonly rev: number; readonly change: TextChange }[];
  readonly rev: number;
}

/** What was sent to and received by a connection, for one paragraph. */
interface SeenParagraph {
  sent: number;
  received: number;
  /** What it shows since its own last edit. */
  shown?: ShownText | undefined;
  /** Its last edit and the result, until it is known whether the edit was refused. */
  edit?: { readonly shown: ShownText; readonly result: string } | undefined;
}

/** What a connection has seen of the note that it has open. */
interface SeenNote {
  readonly noteId: string;
  readonly paragraphs: Map<string, SeenParagraph>;
  /** Number of pings and of the last pong. */
  pings: number;
  pong: number;
  /** Texts sent after a ping whose pong has not been handled. */
  readonly waiting: { readonly ping: number; readonly texts: readonly SentText[] }[];
}

/** Returns the texts in a message. */
function textsIn<Op extends ReceivedOp>(op: Op, message: Receives[Op]): readonly SentText[] {
  const data = message as {
    note?: { paragraphs?: readonly SentText[] };
    paragraph?: SentText;
    paragraphId?: string;
    rev?: number;
  };
  if (op === 'PATCH_PARAGRAPH') return [{ id: data.paragraphId ?? '', rev: data.rev }];
  return data.paragraph ? [data.paragraph] : (data.note?.paragraphs ?? []);
}

/** What each connection has seen of its note. */
export class SeenTexts {
  readonly #texts: TextHistory;
  readonly #notes = new WeakMap<LiveConnection, SeenNote>();

  constructor(texts: TextHistory) {
    this.#texts = texts;
  }

  /**
   * Records a message that is about to be written to a connection. Returns `false` for a change
   * that is part of a text which the connection was sent before: its page would make it twice.
   */
  sent<Op extends ReceivedOp>(connection: LiveConnection, op: Op, data: Receives[Op]): boolean {
    if (op === 'NOTE' || op === 'NEW_NOTE')
      this.#opened(connection, (data as Receives['NOTE']).note);
    const seen = this.#notes.get(connection);
    if (!seen) return true;
    const isNew = textsIn(op, data).filter(({ id, rev = 0 }) => {
      const paragraph = seen.paragraphs.get(id);
      // Before its first text of a paragraph arrives, a connection has nothing to merge.
      if (!paragraph) seen.paragraphs.set(id, { sent: rev, received: rev });
      else if (rev > paragraph.sent) paragraph.sent = rev;
      else return false;
      return paragraph !== undefined;
    });
    if (isNew.length === 0) return op !== 'PATCH_PARAGRAPH';
    const { socket, stream } = connection;
    if (socket.readyState !== socket.OPEN) return true;
    seen.pings += 1;
    seen.waiting.push({ ping: seen.pings, texts: isNew });
    // The ping and the text arrive together.
    stream.cork();
    socket.ping(String(seen.pings));
    process.nextTick(() => stream.uncork());
    if (seen.waiting.length > MAX_PINGS) receive(seen, seen.pings - MAX_PINGS);
    return true;
  }

  #opened(connection: LiveConnection, note: Receives['NOTE']['note']): void {
    if (!note || this.#notes.get(connection)?.noteId === note.id) return;
    const paragraphs = new Map<string, SeenParagraph>();
    this.#notes.set(connection, { noteId: note.id, paragraphs, pings: 0, pong: 0, waiting: [] });
  }

  /** Records a pong. `handled` resolves when the messages before it are handled. */
  pong(connection: LiveConnection, payload: string, handled: Promise<void>): void {
    const seen = this.#notes.get(connection);
    const ping = Number(payload);
    if (!seen || !(ping > seen.pong && ping <= seen.pings)) return;
    seen.pong = ping;
    void handled.then(() => receive(seen, ping));
  }

  /** Adds the base of an edit that names none, and the changes that its author had not received. */
  based<Content extends ParagraphContent>(
    connection: LiveConnection,
    paragraph: StoredParagraph,
    content: Content,
  ): Content {
    const { paragraph: text, baseRev } = content;
    if (text === undefined || baseRev !== undefined) return content;
    const merged = this.#merge(connection, paragraph, () => text);
    return merged ? { ...content, paragraph: merged.text, baseRev: paragraph.rev } : content;
  }

  /** The same for a patch: rebases it over the changes that its author had not received. */
  basedPatch(
    connection: LiveConnection,
    paragraph: StoredParagraph,
    data: Sends['PATCH_PARAGRAPH'],
  ): Sends['PATCH_PARAGRAPH'] {
    if (data.baseRev !== undefined) return data;
    const merged = this.#merge(connection, paragraph, (shown) => {
      const text = applyTextPatch(shown, data.patch);
      if (text !== undefined) return text;
      // Some pages show another text than the messages tell. The patch may fit the current one.
      const current = applyTextPatch(paragraph.text, data.patch);
      return current === undefined ? undefined : rebaseText(paragraph.text, current, shown);
    });
    return merged ? { ...data, changes: merged.change } : data;
  }

  /**
   * Merges the text that a connection shows with what it had not received. Returns the new text of
   * the paragraph and its change; `undefined` if it isn't known what the connection has seen.
   */
  #merge(
    connection: LiveConnection,
    paragraph: StoredParagraph,
    textAfter: (shown: string) => string | undefined,
  ): { text: string; change: TextChange } | undefined {
    const seen = this.#notes.get(connection)?.paragraphs.get(paragraph.id);
    const shown = seen && this.#shown(seen, paragraph);
    const text = shown && textAfter(shown.text);
    if (text === undefined) return undefined;
    let change = diffWords(shown!.text, text, false);
    const unseen = shown!.unseen.map((each) => {
      const mapped = { rev: each.rev, change: mapTextChange(each.change, change, false) };
      change = mapTextChange(change, each.change, true);
      return mapped;
    });
    const result = applyTextChange(paragraph.text, change);
    if (result === undefined) return undefined;
    seen!.shown = shown;
    seen!.edit = { shown: { text, unseen, rev: paragraph.rev }, result };
    return { text: result, change };
  }

  /** Returns what a connection shows, with all changes that it has not received. */
  #shown(seen: SeenParagraph, paragraph: StoredParagraph): ShownText | undefined {
    const { received, edit } = seen;
    let { shown } = seen;
    if (shown && edit) {
      if (this.#texts.textAt(paragraph, shown.rev + 1) === edit.result)
        shown = { ...edit.shown, rev: shown.rev + 1 };
      else if (this.#texts.textAt(paragraph, shown.rev) === edit.result) shown = edit.shown;
    }
    if (!shown || shown.rev <= received) {
      const text = this.#texts.textAt(paragraph, received);
      if (text === undefined) return undefined;
      shown = { text, unseen: [], rev: received };
    }
    const later = this.#texts.changesSince(paragraph, shown.rev);
    if (!later) return undefined;
    const first = shown.rev + 1;
    let { text } = shown;
    for (const { rev, change } of shown.unseen)
      if (rev <= received) text = applyTextChange(text, change) ?? text;
    const unseen = [
      ...shown.unseen.filter(({ rev }) => rev > received),
      ...later.map((change, at) => ({ rev: first + at, change })),
    ];
    return { text, unseen, rev: paragraph.rev };
  }
}

/** Marks the texts of all pings up to this one as received. */
function receive({ waiting, paragraphs }: SeenNote, ping: number): void {
  while (waiting.length > 0 && waiting[0]!.ping <= ping)
    for (const { id, rev = 0 } of waiting.shift()!.texts) {
      const paragraph = paragraphs.get(id);
      if (paragraph && rev > paragraph.received) paragraph.received = rev;
    }
}
