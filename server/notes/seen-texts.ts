/**
 * The texts that connections show, for edits that don't name their base. Clients of Zeppelin send
 * the whole text of a paragraph, or a patch of the text that they show. What such an edit changes
 * is what differs from the text that its page showed before: the last one that it received or sent.
 * Changes that its page has not received are merged with it.
 *
 * The server repeats what the page does with each message. It only has to know which messages the
 * page had received when it sent an edit. Each text therefore contains a WebSocket ping, before the
 * last of its fragments (see `Frame`). Both directions are in order, and a client answers a ping
 * when it reads it. So, if the pong comes after an edit, the text was not complete when the edit
 * was sent. If it comes before, all of the text but its last bytes had arrived, and a program that
 * handles one message after another has made the edit from that text or a later one. A browser
 * answers pings outside of the page; there, a page may have some ms less.
 */
import {
  applyTextChange,
  applyTextPatch,
  diffWords,
  mapTextChange,
  rebaseText,
  type TextChange,
  TextConflict,
  type TextHistory,
} from '@tiding/client/changes';
import type { ParagraphContent } from '@tiding/client/notebook';
import type { ReceivedOp, Receives, Sends } from '@tiding/client/protocol';
import type { LiveConnection } from '../hub/hub.ts';
import type { StoredParagraph } from './note.ts';

/**
 * Most pings without a pong, and characters of patches sent with them, of a connection; then the
 * oldest texts count as received. Some programs answer no pings.
 */
const MAX_PINGS = 1_000;
const MAX_CHARACTERS = 4_000_000;

/** A text of a paragraph in a message, or the patch of the text before it. */
interface SentText {
  readonly id: string;
  readonly rev?: number | undefined;
  readonly patch?: string | undefined;
}

/** What a page shows of a paragraph. */
interface ShownText {
  /** The revision that it shows, unless it has edited another text. */
  readonly rev: number;
  /**
   * Its own text, and the changes from there to the text of `rev`, oldest first. The page has
   * received those up to a revision as soon as it has received that revision.
   */
  readonly own?: {
    readonly text: string;
    readonly missing: readonly { readonly rev: number; readonly change: TextChange }[];
    /** What it shows besides, after an edit that was refused; its next edit contains that one. */
    readonly refused?: string;
  };
}

/** What was sent to and received by a connection, for one paragraph. */
interface SeenParagraph {
  /** Revision that was sent last. */
  sent: number;
  /** Number of its texts that have not been received. */
  waiting: number;
  /** `undefined` if the history since then is no longer remembered. */
  shown: ShownText | undefined;
  /** Its last edit and the result, until it is clear whether the edit was refused. */
  edit?: { readonly shown: ShownText; readonly text: string; readonly result: string } | undefined;
  /** The paragraph that it has edited. */
  stored?: StoredParagraph;
}

/** What a connection has seen of the note that it has open. */
interface SeenNote {
  readonly noteId: string;
  readonly paragraphs: Map<string, SeenParagraph>;
  /** Number of pings and of the last pong. */
  pings: number;
  pong: number;
  /** Messages whose ping was not answered, and the characters of their patches. */
  readonly waiting: { readonly ping: number; readonly texts: readonly SentText[] }[];
  characters: number;
}

function textsIn<Op extends ReceivedOp>(op: Op, message: Receives[Op]): readonly SentText[] {
  const data = message as {
    note?: { paragraphs?: readonly SentText[] };
    paragraph?: SentText;
    paragraphId?: string;
    rev?: number;
    patch?: string;
  };
  if (op === 'PATCH_PARAGRAPH')
    return [{ id: data.paragraphId ?? '', rev: data.rev, patch: data.patch ?? '' }];
  return (data.paragraph ? [data.paragraph] : (data.note?.paragraphs ?? [])).map(({ id, rev }) => ({
    id,
    rev,
  }));
}

const charactersOf = (texts: readonly SentText[]): number =>
  texts.reduce((sum, { patch = '' }) => sum + patch.length, 0);

/** What each connection shows of its note. */
export class SeenTexts {
  readonly #texts: TextHistory;
  readonly #notes = new WeakMap<LiveConnection, SeenNote>();

  /** Called if a page shows another text than the stored one and nothing is on its way to it. */
  onDifference: (connection: LiveConnection, paragraphId: string) => void = () => {};

  constructor(texts: TextHistory) {
    this.#texts = texts;
  }

  /**
   * Records a message that is about to be written to a connection. Returns the payload of the ping
   * that it has to contain, if any. Returns `false` for a change that is part of a text which the
   * connection was sent before: its page would make it twice.
   */
  sent<Op extends ReceivedOp>(
    connection: LiveConnection,
    op: Op,
    data: Receives[Op],
  ): string | false | undefined {
    if (op === 'NOTE' || op === 'NEW_NOTE')
      this.#opened(connection, (data as Receives['NOTE']).note);
    const seen = this.#notes.get(connection);
    if (!seen) return undefined;
    const texts = textsIn(op, data).filter(({ id, rev = 0, patch }) => {
      const paragraph = seen.paragraphs.get(id);
      // Before its first text of a paragraph arrives, a connection has nothing to merge.
      if (!paragraph) seen.paragraphs.set(id, { sent: rev, waiting: 0, shown: { rev } });
      else if (patch !== undefined && rev <= paragraph.sent) return false;
      else {
        // An earlier text may follow, if later ones are about to be sent.
        paragraph.sent = rev;
        paragraph.waiting += 1;
      }
      return paragraph !== undefined;
    });
    if (texts.length === 0) return op === 'PATCH_PARAGRAPH' ? false : undefined;
    seen.pings += 1;
    seen.waiting.push({ ping: seen.pings, texts });
    seen.characters += charactersOf(texts);
    while (seen.waiting.length > MAX_PINGS || seen.characters > MAX_CHARACTERS)
      this.#receive(connection, seen, seen.waiting[0]!.ping);
    return String(seen.pings);
  }

  #opened(connection: LiveConnection, note: Receives['NOTE']['note']): void {
    const before = this.#notes.get(connection);
    if (!note || before?.noteId === note.id) return;
    // Pongs of the note before may still arrive.
    const { pings, pong } = before ?? { pings: 0, pong: 0 };
    this.#notes.set(connection, {
      noteId: note.id,
      paragraphs: new Map(),
      pings,
      pong,
      waiting: [],
      characters: 0,
    });
  }

  /** Records a pong. `handled` resolves when the messages before it are handled. */
  pong(connection: LiveConnection, payload: string, handled: Promise<void>): void {
    const seen = this.#notes.get(connection);
    const ping = Number(payload);
    if (!seen || !(ping > seen.pong && ping <= seen.pings)) return;
    seen.pong = ping;
    void handled.then(() => this.#receive(connection, seen, ping));
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
   * Merges the change of the text that a page shows with the changes that it lacks. Returns the new
   * text of the paragraph and its change; `undefined` if the connection never received a text.
   * Throws {@link TextConflict} if the changes are no longer remembered.
   */
  #merge(
    connection: LiveConnection,
    paragraph: StoredParagraph,
    textAfter: (shown: string) => string | undefined,
  ): { text: string; change: TextChange } | undefined {
    const seen = this.#notes.get(connection)?.paragraphs.get(paragraph.id);
    if (!seen) return undefined;
    const shown = this.#shown(seen, paragraph);
    seen.stored = paragraph;
    if (!shown) {
      if (textAfter(paragraph.text) === paragraph.text) return undefined;
      throw new TextConflict(paragraph);
    }
    const text = textAfter(shown.refused ?? shown.text);
    if (text === undefined) return undefined;
    let change = diffWords(shown.text, text, false);
    const missing = shown.missing.map((each) => {
      const mapped = { rev: each.rev, change: mapTextChange(each.change, change, false) };
      change = mapTextChange(change, each.change, true);
      return mapped;
    });
    const result = applyTextChange(paragraph.text, change);
    if (result === undefined) throw new TextConflict(paragraph);
    const { rev } = paragraph;
    const own = missing.length > 0 ? { own: { text, missing } } : {};
    seen.edit = { shown: { rev, ...own }, text, result };
    return { text: result, change };
  }

  /** Returns the text that a page shows, and all changes from there to the current text. */
  #shown(seen: SeenParagraph, paragraph: StoredParagraph): Required<ShownText>['own'] | undefined {
    const { edit } = seen;
    if (seen.shown && edit) {
      const { shown, result } = edit;
      if (this.#texts.textAt(paragraph, shown.rev + 1) === result)
        seen.shown = { ...shown, rev: shown.rev + 1 };
      else if (this.#texts.textAt(paragraph, shown.rev) === result) seen.shown = shown;
      else {
        const before = this.#shown({ ...seen, edit: undefined }, paragraph);
        seen.shown = before && { rev: paragraph.rev, own: { ...before, refused: edit.text } };
      }
      seen.edit = undefined;
    }
    const { rev, own } = seen.shown ?? { rev: -1 };
    const text = own?.text ?? this.#texts.textAt(paragraph, rev);
    const later = this.#texts.changesSince(paragraph, rev);
    if (text === undefined || !later) return (seen.shown = undefined);
    const missing = later.map((change, at) => ({ rev: rev + 1 + at, change }));
    return { ...own, text, missing: [...(own?.missing ?? []), ...missing] };
  }

  /** Marks the texts of all pings up to this one as received. */
  #receive(connection: LiveConnection, note: SeenNote, ping: number): void {
    const { waiting, paragraphs } = note;
    while (waiting.length > 0 && waiting[0]!.ping <= ping) {
      const { texts } = waiting.shift()!;
      note.characters -= charactersOf(texts);
      for (const text of texts) {
        const seen = paragraphs.get(text.id);
        if (!seen) continue;
        seen.waiting -= 1;
        this.#receiveText(seen, text);
        const { stored } = seen;
        if (!stored || seen.waiting > 0) continue;
        const shown = this.#shown(seen, stored);
        // The note may have been read from its file again.
        if (!shown) delete seen.stored;
        if (shown?.text !== stored.text) this.onDifference(connection, text.id);
      }
    }
  }

  /** Does what a page does with a text or patch that it receives. */
  #receiveText(seen: SeenParagraph, { rev = 0, patch }: SentText): void {
    const { stored } = seen;
    const isNext = !seen.edit && seen.shown && !seen.shown.own && rev === seen.shown.rev + 1;
    if (patch === undefined || !stored || isNext) {
      seen.edit = undefined;
      seen.shown = { rev };
      return;
    }
    const before = this.#shown(seen, stored);
    if (!before) return;
    const missing = before.missing.filter((each) => each.rev > rev);
    const merged = before.missing
      .filter((each) => each.rev <= rev)
      .reduce((text, { change }) => applyTextChange(text, change) ?? text, before.text);
    const { refused } = before;
    const shown = refused ?? before.text;
    const text = applyTextPatch(shown, patch) ?? shown;
    // What the page would show without its refused edit. A page may put a change at another place
    // than the server, or nowhere, until it is sent the whole text.
    let base = text;
    if (refused !== undefined)
      base =
        text === rebaseText(before.text, refused, merged)
          ? merged
          : rebaseText(refused, before.text, text);
    if (base !== merged) missing.unshift({ rev: 0, change: diffWords(base, merged, false) });
    const own = { text: base, missing, ...(refused === undefined ? {} : { refused: text }) };
    const isOwn = missing.length > 0 || refused !== undefined;
    seen.shown = { rev: stored.rev, ...(isOwn ? { own } : {}) };
  }
}
