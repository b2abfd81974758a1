import type { CallOptions } from '../core/abort.ts';
import { isTidingError, TidingError } from '../core/errors.ts';
import { isZeppelin } from '../core/server-support.ts';
import type { SharedValue } from '../core/state.ts';
import type { NoteConnection } from './note-connection.ts';
import {
  type ParagraphRunOptions,
  type Run,
  type RunResult,
  revisionReadOnlyError,
} from './paragraph/run.ts';
import { SHARED_FUNCTION_PREFIX } from './shared-value-names.ts';

/** What scripts need of their note. */
interface ScriptedNote extends NoteConnection {
  paragraph(id: string): {
    readonly id: string;
    run(options: ParagraphRunOptions): Run<RunResult>;
  };
  run(options: ParagraphRunOptions): Run<RunResult[]>;
}

/** Number of recent changes that can be reverted when the server refuses them. */
const MAX_CHANGES = 200;

type Made = SharedValue & { readonly interpreterGroupId: string };

/**
 * The API for scripts in a note: the object `z`, with the method names of both protocol
 * generations. Errors carry texts for users (specification), for example for a missing or unknown
 * paragraph id.
 *
 * @example
 * await note.z.put('city', 'Oslo');
 * await note.z.run('20261121-070135_35893072');
 */
export class Scripting {
  readonly #note: ScriptedNote;
  /** Value before each recent change, by the id of the change's message. */
  readonly #changes = new Map<string, Made>();

  /** @internal */
  constructor(note: ScriptedNote) {
    this.#note = note;
  }

  #checked(paragraphId: string | undefined, usage: string): string {
    if (!paragraphId)
      throw new TidingError('protocol', `Please provide a 'paragraphId' when calling ${usage}`);
    // Throws "Cannot find a paragraph with id '…'".
    return this.#note.paragraph(paragraphId).id;
  }

  /** Runs a paragraph with its current text. */
  run(paragraphId: string, options: ParagraphRunOptions = {}): Run<RunResult> {
    return this.#note
      .paragraph(this.#checked(paragraphId, 'z.runParagraph(paragraphId)'))
      .run(options);
  }

  /** Name of {@link Scripting.run} on servers of generation A. */
  runParagraph(paragraphId: string, options: ParagraphRunOptions = {}): Run<RunResult> {
    return this.run(paragraphId, options);
  }

  /** Runs the whole note. */
  runNote(options: ParagraphRunOptions = {}): Run<RunResult[]> {
    return this.#note.run(options);
  }

  /**
   * Returns a shared value. A value of the paragraph takes precedence over one of the note.
   * `undefined` if there is none.
   */
  get(name: string, paragraphId?: string): unknown {
    const all = Object.values(this.#note.state.shared).filter((entry) => entry.name === name);
    return (
      all.find((entry) => entry.paragraphId === paragraphId) ??
      all.find((entry) => entry.paragraphId === undefined) ??
      (paragraphId === undefined ? all[0] : undefined)
    )?.value;
  }

  /**
   * Sets a shared value.
   *
   * A value that an interpreter created is changed there: immediately in this client, and reverted
   * if the server refuses. A new value is bound to the paragraph `paragraphId`.
   *
   * `paragraphId` also selects the value to change: `''` that of the note; omitted, that of the
   * note or else of any paragraph.
   */
  async put(
    name: string,
    value: unknown,
    paragraphId?: string,
    options: CallOptions = {},
  ): Promise<void> {
    if (this.#note.revision !== undefined) throw revisionReadOnlyError('ANGULAR_OBJECT_UPDATED');
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

  /**
   * Successful changes are not answered. Remembers the previous value, to revert a refused change.
   */
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
   * Binds a value to a paragraph, so that interpreters and other pages see it. Resolves when the
   * server announces it. Apache Zeppelin accepts strings, numbers, booleans and objects, but lists
   * only inside an object; a list rejects with `unsupported` there.
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
          message.op === 'ANGULAR_OBJECT_UPDATE' && message.data.angularObject.name === name,
        options,
      )
      .catch((error: unknown) => {
        // Apache Zeppelin reports only that it failed.
        if (
          Array.isArray(value) &&
          isTidingError(error, 'server') &&
          isZeppelin(this.#note.context)
        ) {
          throw new TidingError(
            'unsupported',
            `This server accepts no list as a value: bind '${name}' to an object that ` +
              'contains the list.',
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

  /** Removes a value from a paragraph. */
  async unset(name: string, paragraphId: string, options: CallOptions = {}): Promise<void> {
    const id = this.#checked(paragraphId, "z.angularUnbind(varName, 'PUT_HERE_PARAGRAPH_ID')");
    await this.#note.request(
      'ANGULAR_OBJECT_CLIENT_UNBIND',
      { noteId: this.#note.id, name, paragraphId: id },
      (message) =>
        message.op === 'ANGULAR_OBJECT_REMOVE' &&
        (message.data.name ?? message.data.angularObject?.name) === name,
      options,
    );
  }

  /** Name of {@link Scripting.unset} on servers of generation A. */
  angularUnbind(name: string, paragraphId: string, options: CallOptions = {}): Promise<void> {
    return this.unset(name, paragraphId, options);
  }

  /**
   * Calls a function that an interpreter has shared, by setting its value to the arguments. On the
   * wire its name starts with `_Z_ANGULAR_FUNC_`. Rejects with `server` if there is no such
   * function.
   */
  async call(name: string, ...parameters: readonly unknown[]): Promise<void> {
    const shared = `${SHARED_FUNCTION_PREFIX}${name}`;
    if (!Object.values(this.#note.state.shared).some((entry) => entry.name === shared))
      throw new TidingError('not-found', `There is no function '${name}'`);
    await this.put(shared, parameters);
  }
}
