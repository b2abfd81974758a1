/** Paragraph scripting: the object `z` of a notebook's pages, with both generations' names. */
import type { CallOptions } from '../core/abort.ts';
import { isTidingError, TidingError } from '../errors.ts';
import { unchangeable, type Run, type RunOptions, type RunResult } from '../paragraph/run.ts';
import type { Note } from './note.ts';
import { FUNCTION_PREFIX } from './shared-names.ts';

/** A value that a note's pages and interpreters share. `paragraphId` absent: of the whole note. */
export interface SharedValue {
  /** Unique within its paragraph, or among those of the note. */
  readonly name: string;
  /** Whatever JSON can say. */
  readonly value: unknown;
  /** The paragraph it belongs to. */
  readonly paragraphId: string | undefined;
  /** Opaque; goes back to the server with a change. Absent on values that this page bound and the server has not told yet. */
  readonly interpreterGroupId: string | undefined;
}

/** Changes of shared values that can be taken back when the server refuses them. */
const MAX_CHANGES = 200;

type Made = SharedValue & { readonly interpreterGroupId: string };

/**
 * What scripts of a note may do. Errors carry the texts that a user is shown (specification): a paragraph id that is
 * missing, and one that the note does not have.
 */
export class Scripting {
  readonly #note: Note;
  /** What was there before each of the last changes, by the id of the message. */
  readonly #changes = new Map<string, Made>();

  /** @internal */
  constructor(note: Note) {
    this.#note = note;
  }

  #checked(paragraphId: string | undefined, usage: string): string {
    if (!paragraphId)
      throw new TidingError('protocol', `Please provide a 'paragraphId' when calling ${usage}`);
    // Throws "Cannot find a paragraph with id '…'".
    return this.#note.paragraph(paragraphId).id;
  }

  /** Runs a paragraph with its text as it stands. */
  run(paragraphId: string, options: RunOptions = {}): Run<RunResult> {
    return this.#note
      .paragraph(this.#checked(paragraphId, 'z.runParagraph(paragraphId)'))
      .run(options);
  }

  /** Name of {@link Scripting.run} on servers of generation A. */
  runParagraph(paragraphId: string, options: RunOptions = {}): Run<RunResult> {
    return this.run(paragraphId, options);
  }

  /** Runs the whole note. */
  runNote(options: RunOptions = {}): Run<RunResult[]> {
    return this.#note.run(options);
  }

  /** A shared value; the paragraph's own before the note's. `undefined` where there is none. */
  get(name: string, paragraphId?: string): unknown {
    const all = Object.values(this.#note.state.shared).filter((entry) => entry.name === name);
    return (
      all.find((entry) => entry.paragraphId === paragraphId) ??
      all.find((entry) => entry.paragraphId === undefined) ??
      (paragraphId === undefined ? all[0] : undefined)
    )?.value;
  }

  /**
   * Sets a shared value. One that an interpreter has made is changed there (others on the note are told, this client is
   * told at once, and of the value before when the server refuses); a new one is bound to `paragraphId`. `paragraphId` `''`:
   * that of the note; absent: that of the note, else of any paragraph.
   */
  async put(
    name: string,
    value: unknown,
    paragraphId?: string,
    options: CallOptions = {},
  ): Promise<void> {
    if (this.#note.revision !== undefined) throw unchangeable('ANGULAR_OBJECT_UPDATED');
    const all = Object.values(this.#note.state.shared).filter((entry) => entry.name === name);
    const known =
      all.find((entry) => (entry.paragraphId ?? '') === (paragraphId ?? '')) ??
      (paragraphId === undefined ? all[0] : undefined);
    if (!known?.interpreterGroupId) return this.set(name, value, paragraphId ?? '', options);
    const { interpreterGroupId } = known;
    const data = {
      noteId: this.#note.id,
      ...(known.paragraphId === undefined ? {} : { paragraphId: known.paragraphId }),
      name,
      value,
      interpreterGroupId,
    };
    await this.#note.channel.ready({ timeout: this.#note.context.timeout, ...options });
    this.#remember(this.#note.channel.send('ANGULAR_OBJECT_UPDATED', data, { expect: true }), {
      ...known,
      interpreterGroupId,
    });
    this.#note.context.emit({
      type: 'shared-value-set',
      noteId: this.#note.id,
      name,
      value,
      paragraphId: known.paragraphId,
      interpreterGroupId,
    });
    return undefined;
  }

  /** Nothing answers a change that is made; one that is refused is taken back. */
  #remember(msgId: string, before: Made): void {
    if (this.#changes.size === 0) {
      this.#note.channel.on('message', (message) => {
        if (
          (message.op !== 'AUTH_INFO' && message.op !== 'ERROR_INFO') ||
          message.msgId === undefined
        )
          return;
        const known = this.#changes.get(message.msgId);
        if (known)
          this.#note.context.emit({ type: 'shared-value-set', noteId: this.#note.id, ...known });
      });
    }
    this.#changes.set(msgId, before);
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > MAX_CHANGES && oldest !== undefined) this.#changes.delete(oldest);
  }

  /**
   * Binds a value to a paragraph: interpreters and other pages see it. Resolves when the server tells of it. Rejects with `unsupported` where
   * the server takes no list (a Zeppelin takes texts, numbers, truth values and objects, and lists inside of these).
   */
  async set(
    name: string,
    value: unknown,
    paragraphId: string,
    options: CallOptions = {},
  ): Promise<void> {
    const id = this.#checked(paragraphId, "z.angularBind(varName, value, 'PUT_HERE_PARAGRAPH_ID')");
    await this.#note
      .request(
        'ANGULAR_OBJECT_CLIENT_BIND',
        { noteId: this.#note.id, name, value, paragraphId: id },
        (message) =>
          message.op === 'ANGULAR_OBJECT_UPDATE' && message.data.angularObject.name === name
            ? true
            : undefined,
        options,
      )
      .catch((error: unknown) => {
        // A Zeppelin says nothing more than that it failed.
        if (
          Array.isArray(value) &&
          isTidingError(error, 'server') &&
          this.#note.context.store.get().server?.tiding === undefined
        ) {
          throw new TidingError(
            'unsupported',
            `This server takes no list as a value: bind '${name}' to an object that holds the list`,
            { operation: error.operation!, cause: error },
          );
        }
        throw error;
      });
  }

  /** Name of {@link Scripting.set} on servers of generation A. */
  angularBind(
    name: string,
    value: unknown,
    paragraphId: string,
    options: CallOptions = {},
  ): Promise<void> {
    return this.set(name, value, paragraphId, options);
  }

  /** Takes a value off a paragraph. */
  async unset(name: string, paragraphId: string, options: CallOptions = {}): Promise<void> {
    const id = this.#checked(paragraphId, "z.angularUnbind(varName, 'PUT_HERE_PARAGRAPH_ID')");
    await this.#note.request(
      'ANGULAR_OBJECT_CLIENT_UNBIND',
      { noteId: this.#note.id, name, paragraphId: id },
      (message) =>
        message.op === 'ANGULAR_OBJECT_REMOVE' &&
        (message.data.name ?? message.data.angularObject?.name) === name
          ? true
          : undefined,
      options,
    );
  }

  /** Name of {@link Scripting.unset} on servers of generation A. */
  angularUnbind(name: string, paragraphId: string, options: CallOptions = {}): Promise<void> {
    return this.unset(name, paragraphId, options);
  }

  /**
   * Calls a function that an interpreter has shared (its name starts with `_Z_ANGULAR_FUNC_` on the wire): the arguments go
   * as its value. Rejects with `server` where there is none of that name.
   */
  async call(name: string, ...parameters: readonly unknown[]): Promise<void> {
    const shared = `${FUNCTION_PREFIX}${name}`;
    if (!Object.values(this.#note.state.shared).some((entry) => entry.name === shared))
      throw new TidingError('server', `There is no function '${name}'`);
    await this.put(shared, parameters);
  }
}
