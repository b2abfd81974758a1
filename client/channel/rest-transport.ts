/**
 * A live channel over REST, for networks that block WebSockets. It accepts the client's frames and
 * produces the frames that a server would send. Operations without a REST call are refused with
 * ERROR_INFO. `rest-note-watch.ts` polls for changes.
 */
import { isHttpError, isTidingError, TidingError } from '../core/errors.ts';
import { isSameJson } from '../model/json-object.ts';
import { textBelow } from '../model/notes/magic.ts';
import { newNoteBody, notePath } from '../model/notes/note-path.ts';
import { rebaseText } from '../model/text/text-change.ts';
import { mergeText } from '../model/text/text-merge.ts';
import {
  type JsonObject,
  type Note,
  type Paragraph,
  type ReceivedOp,
  type Receives,
  type Sends,
  type SentOp,
  sentOperations,
  UNANSWERED,
} from '../protocol/index.ts';
import type { RestCall } from '../rest/rest-client.ts';
import { RestNoteWatch } from './rest-note-watch.ts';
import type { Connection, ConnectionEvents, Transport } from './transport.ts';

/** Error text for operations that have no REST call. */
const NEEDS_LIVE_CHANNEL_MESSAGE = 'This operation needs the live channel, which is blocked.';

/** Whether the network failed, not the server. */
const isSignedOut = (error: unknown) =>
  isTidingError(error, 'signed-out') || isHttpError(error, 401) || isHttpError(error, 405);
const isNetworkFailure = (error: unknown) =>
  isTidingError(error, 'network') ||
  isTidingError(error, 'timeout') ||
  isTidingError(error, 'aborted');

/**
 * Creates a transport whose connections consist of REST calls. A connection opens when the server
 * answers. `random` returns a number from 0 to 1 that spreads the polling of many clients.
 */
export function restTransport(
  call: RestCall,
  { random = Math.random }: { random?: () => number } = {},
): Transport {
  return (_url, events) => new RestConnection(call, events, random);
}

type Content = Pick<Sends['COMMIT_PARAGRAPH'], 'paragraph' | 'title' | 'config' | 'params'>;
type Handlers = { [Op in SentOp]?: (data: Sends[Op], msgId: string | undefined) => Promise<void> };

/** One connection. Like a socket, it belongs to one note at a time. */
class RestConnection implements Connection {
  readonly namesReplies = false;
  readonly #call: RestCall;
  readonly #events: ConnectionEvents;
  readonly #random: () => number;
  readonly #abort = new AbortController();
  #watch: RestNoteWatch | undefined;
  #over = false;
  #queue: Promise<void>;

  constructor(call: RestCall, events: ConnectionEvents, random: () => number) {
    this.#call = (name, init) => call(name, { ...init, signal: this.#abort.signal } as typeof init);
    this.#events = events;
    this.#random = random;
    this.#queue = this.#call('version').then(
      () => {
        if (!this.#over) events.onOpen();
      },
      () => this.#end(1006, 'the server does not respond'),
    );
  }

  close(code = 1000, reason = ''): void {
    this.#end(code, reason);
  }

  #end(code: number, reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch?.stop();
    this.#abort.abort();
    this.#events.onClose(code, reason);
  }

  send(text: string): void {
    const {
      op,
      data = {},
      msgId,
    } = JSON.parse(text) as { op: string; data?: JsonObject; msgId?: string };
    if (UNANSWERED.has(op)) return;
    const id = typeof data['id'] === 'string' ? data['id'] : undefined;
    const where = { op, ...(id === undefined ? {} : { id }) };
    this.#inTurn(async () => {
      const handler = Object.hasOwn(this.#handlers, op)
        ? (this.#handlers[op as SentOp] as (
            data: unknown,
            msgId: string | undefined,
          ) => Promise<void>)
        : undefined;
      if (!handler) return this.#emit('ERROR_INFO', { info: NEEDS_LIVE_CHANNEL_MESSAGE, ...where });
      const fit = sentOperations[op as SentOp].data.safeParse(data);
      if (!fit.success) throw new TidingError('protocol', `${op} does not match the protocol.`);
      this.#watch?.pollSooner();
      await handler(fit.data, msgId);
    }, where);
  }

  readonly #emit = <Op extends ReceivedOp>(op: Op, data: Receives[Op], msgId?: string): void => {
    if (!this.#over)
      this.#events.onMessage(
        JSON.stringify({ op, data, ...(msgId === undefined ? {} : { msgId }) }),
      );
  };

  /** Runs actions one after another, in the order in which they were requested. */
  #inTurn(act: () => Promise<void>, where: { op?: string; id?: string } = {}): void {
    this.#queue = this.#queue
      .then(() => (this.#over ? undefined : act()))
      .catch((error: unknown) => this.#failed(error, where));
  }

  #failed(error: unknown, where: { op?: string; id?: string }): void {
    if (isNetworkFailure(error)) return this.#end(1006, 'the server does not respond');
    const info = error instanceof Error ? error.message : String(error);
    if (isSignedOut(error)) return this.#emit('SESSION_LOGOUT', { info });
    const code = isHttpError(error) ? error.status : isTidingError(error, 'busy') ? 423 : undefined;
    if (code === 403) this.#emit('AUTH_INFO', { info, ...where });
    else this.#emit('ERROR_INFO', { info, ...(code === undefined ? {} : { code }), ...where });
  }

  /**
   * Polling handles its own failures: it ends if the note is gone or no longer readable, and is
   * retried after other errors.
   */
  readonly #poll = (watch: RestNoteWatch, act: () => Promise<void>): void => {
    this.#inTurn(async () => {
      try {
        await act();
      } catch (error) {
        const gone = isSignedOut(error) || isHttpError(error, 403) || isHttpError(error, 404);
        if (gone) watch.stop();
        if (gone || isNetworkFailure(error)) this.#failed(error, { op: 'GET_NOTE', id: watch.id });
        else watch.retry();
      }
    });
  };

  /** Returns the open note, which all operations except GET_NOTE need. */
  #open(noteId: string | undefined): RestNoteWatch {
    if (!this.#watch || (noteId !== undefined && noteId !== this.#watch.id))
      throw new TidingError('closed', 'The note is not open on this connection.');
    return this.#watch;
  }

  async #list(): Promise<void> {
    this.#emit('NOTES_INFO', { notes: await this.#call('listNotes') });
  }

  async #bindings(noteId: string): Promise<void> {
    const interpreterBindings = await this.#call('getBindings', { params: { noteId } });
    this.#emit('INTERPRETER_BINDINGS', { interpreterBindings });
  }

  #getNote(noteId: string): Promise<Note> {
    return this.#call('getNote', { params: { noteId } });
  }

  #paragraph(watch: RestNoteWatch, paragraphId: string): Promise<Paragraph> {
    return this.#call('getParagraph', { params: { noteId: watch.id, paragraphId } });
  }

  /**
   * Saves what differs from the server's paragraph, after merging with changes by others. Returns
   * the paragraph as saved, or `undefined` after reporting a conflict.
   */
  async #save(
    watch: RestNoteWatch,
    id: string,
    content: Content,
    msgId?: string,
    known?: Paragraph,
  ): Promise<Paragraph | undefined> {
    const params = { noteId: watch.id, paragraphId: id };
    const current = known ?? (await this.#paragraph(watch, id));
    const { text: theirs = '', title = '', config = {}, settings, rev = 0 } = current;
    const base = watch.reported(id)?.text ?? theirs;
    let text = content.paragraph ?? theirs;
    if (text !== theirs && theirs !== base && current.rev !== undefined)
      text = rebaseText(base, text, theirs);
    else if (text !== theirs && theirs !== base) {
      const merged = mergeText(base, text, theirs);
      if ('conflict' in merged) {
        watch.report(current);
        this.#emit(
          'PARAGRAPH_CONFLICT',
          { id, noteId: watch.id, rev, text: theirs, baseText: base },
          msgId,
        );
        return undefined;
      }
      ({ text } = merged);
    }
    const named =
      content.title !== undefined && content.title !== title ? { title: content.title } : {};
    const look = Object.entries(content.config ?? {}).some(
      ([key, value]) => !isSameJson(value, config[key as keyof typeof config]),
    );
    if (text !== theirs || 'title' in named)
      await this.#call('updateParagraph', { params, body: { text, ...named } });
    if (look)
      await this.#call('configureParagraph', { params, body: content.config as JsonObject });
    // No REST call saves form values alone, so they are kept here until the next run.
    if (content.params && !isSameJson(content.params, settings?.params ?? {}))
      watch.keepParams(id, content.params);
    return text !== theirs || 'title' in named || look ? this.#paragraph(watch, id) : current;
  }

  async #insert(
    watch: RestNoteWatch,
    index: number,
    body: { text?: string; title?: string; config?: JsonObject },
    params?: JsonObject,
  ): Promise<void> {
    const paragraphId = await this.#call('insertParagraph', {
      params: { noteId: watch.id },
      body: { ...body, index },
    });
    if (params && Object.keys(params).length > 0) watch.keepParams(paragraphId, params);
    watch.insert(await this.#paragraph(watch, paragraphId), index);
  }

  readonly #handlers: Handlers = {
    LIST_NOTES: () => this.#list(),
    GET_NOTE: async ({ id }) => {
      const note = await this.#getNote(id);
      this.#watch?.stop();
      const watch: RestNoteWatch = new RestNoteWatch(note, {
        call: this.#call,
        sendFrame: this.#emit,
        random: this.#random,
        inTurn: (act) => this.#poll(watch, act),
        reportFailure: (error, op) => this.#failed(error, { op, id }),
      });
      this.#watch = watch;
    },
    NEW_NOTE: async ({ name, defaultInterpreterGroup }) => {
      const noteId = await this.#call('createNote', {
        body: {
          addingEmptyParagraph: true,
          ...newNoteBody(name),
          ...(defaultInterpreterGroup ? { defaultInterpreterGroup } : {}),
        },
      });
      this.#emit('NEW_NOTE', { note: await this.#getNote(noteId) });
      await this.#list();
    },
    CLONE_NOTE: async ({ id, name }) => {
      const noteId = await this.#call('cloneNote', {
        params: { noteId: id },
        body: newNoteBody(name),
      });
      this.#emit('NEW_NOTE', { note: await this.#getNote(noteId) });
      await this.#list();
    },
    DEL_NOTE: async ({ id }) => {
      await this.#call('deleteNote', { params: { noteId: id } });
      await this.#list();
    },
    NOTE_RENAME: async ({ id, name, relative }) => {
      let path = name;
      if (relative) {
        const now = notePath(this.#watch?.id === id ? this.#watch.note : await this.#getNote(id));
        path = now.slice(0, now.lastIndexOf('/') + 1) + name;
      }
      await this.#call('renameNote', { params: { noteId: id }, body: { name: path } });
      if (this.#watch?.id === id) this.#watch.reportNote(await this.#getNote(id));
      await this.#list();
    },
    COMMIT_PARAGRAPH: async (data, msgId) => {
      const watch = this.#open(data.noteId);
      const saved = await this.#save(watch, data.id, data, msgId);
      if (saved) watch.report(saved, { msgId });
    },
    RUN_PARAGRAPH: async (data, msgId) => {
      const watch = this.#open(data.noteId);
      const last = watch.paragraphs.at(-1)?.id === data.id;
      const saved = await this.#save(watch, data.id, data, msgId);
      if (!saved) return;
      const { params = saved.settings?.params ?? {} } = data;
      await this.#call('startParagraph', {
        params: { noteId: watch.id, paragraphId: data.id },
        body: { params },
      });
      watch.keepParams(data.id, undefined);
      const { results: _results, errorMessage: _message, dateFinished: _finished, ...rest } = saved;
      watch.report(
        { ...rest, settings: { ...rest.settings, params }, status: 'PENDING' },
        { msgId },
      );
      watch.pollRun(data.id, saved);
      // The live channel does the same after a run of the last paragraph. Users without write
      // permission get no new paragraph.
      if (last && (saved.text ?? '').trim() !== '') {
        const index = watch.paragraphs.length;
        await this.#insert(watch, index, {
          text: textBelow(watch.paragraphs[index - 1]?.text),
        }).catch((error: unknown) => {
          if (!isHttpError(error)) throw error;
        });
      }
    },
    RUN_ALL_PARAGRAPHS: async ({ noteId, paragraphs }) => {
      const watch = this.#open(noteId);
      const contents = (
        typeof paragraphs === 'string' ? JSON.parse(paragraphs) : (paragraphs ?? [])
      ) as (Content & { id: string })[];
      const { paragraphs: current = [] } = await this.#getNote(noteId);
      for (const content of contents) {
        const known = current.find(({ id }) => id === content.id);
        if (!known) continue;
        const saved = await this.#save(watch, content.id, content, undefined, known);
        if (!saved)
          throw new TidingError(
            'conflict',
            'A paragraph was changed by another user, so nothing was run.',
          );
        watch.report(saved);
      }
      await watch.run();
    },
    CANCEL_PARAGRAPH: async ({ id, noteId }, msgId) => {
      const watch = this.#open(noteId);
      await this.#call('stopParagraph', { params: { noteId: watch.id, paragraphId: id } });
      watch.pollRun(id);
      await watch.pollNow();
      const reported = watch.reported(id);
      if (reported) watch.report(reported, { msgId });
    },
    INSERT_PARAGRAPH: ({ index, noteId, config }) => {
      const watch = this.#open(noteId);
      return this.#insert(watch, index, {
        text: textBelow(watch.paragraphs[index - 1]?.text),
        ...(config ? { config } : {}),
      });
    },
    COPY_PARAGRAPH: ({ index, noteId, title, paragraph = '', config, params }) =>
      this.#insert(
        this.#open(noteId),
        index,
        { text: paragraph, ...(title ? { title } : {}), ...(config ? { config } : {}) },
        params,
      ),
    MOVE_PARAGRAPH: async ({ id, index, noteId }) => {
      const watch = this.#open(noteId);
      await this.#call('moveParagraph', { params: { noteId: watch.id, paragraphId: id, index } });
      watch.move(id, index);
    },
    PARAGRAPH_REMOVE: async ({ id, noteId }) => {
      const watch = this.#open(noteId);
      await this.#call('deleteParagraph', { params: { noteId: watch.id, paragraphId: id } });
      watch.remove(id);
    },
    PARAGRAPH_CLEAR_ALL_OUTPUT: async ({ id }, msgId) => {
      await this.#call('clearNote', { params: { noteId: id } });
      if (this.#watch?.id === id) this.#watch.reportNote(await this.#getNote(id), msgId);
    },
    GET_INTERPRETER_BINDINGS: ({ noteId }) => this.#bindings(noteId),
    SAVE_INTERPRETER_BINDINGS: async ({ noteId, selectedSettingIds }) => {
      await this.#call('setBindings', { params: { noteId }, body: selectedSettingIds });
      await this.#bindings(noteId);
    },
    GET_INTERPRETER_SETTINGS: async () =>
      this.#emit('INTERPRETER_SETTINGS', { interpreterSettings: await this.#call('listSettings') }),
  };
}
