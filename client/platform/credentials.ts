/** The user's credentials for data sources, by entity (`group.name` of an interpreter). */
import type { CallOptions } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { TidingError } from '../errors.ts';

/** Credentials. Never log what `list` answers: upstream tells passwords in clear. */
export class Credentials {
  readonly #context: Context;

  /** @internal */
  constructor(context: Context) {
    this.#context = context;
  }

  /** Own entries: user name and password by entity. */
  async list(
    options: CallOptions = {},
  ): Promise<
    Readonly<Record<string, { username?: string | undefined; password?: string | undefined }>>
  > {
    return (await this.#context.call('listCredentials', options)).userCredentials ?? {};
  }

  /**
   * Sets the credential of an entity. Rejects before anything is sent with 'Username \ Entity can not be empty.'
   * (specification). The password may be empty; upstream refuses that with status 400.
   */
  async put(
    entity: string,
    username: string,
    password: string,
    options: CallOptions = {},
  ): Promise<void> {
    if (entity.trim() === '' || username.trim() === '')
      throw new TidingError('protocol', 'Username \\ Entity can not be empty.', {
        operation: 'putCredential',
      });
    await this.#context.call('putCredential', {
      ...options,
      body: { entity: entity.trim(), username: username.trim(), password },
    });
  }

  /** Deletes the credential of an entity; 404 where there is none. */
  async remove(entity: string, options: CallOptions = {}): Promise<void> {
    await this.#context.call('deleteCredential', { ...options, params: { entity } });
  }

  /** Deletes all of the user's credentials. */
  async removeAll(options: CallOptions = {}): Promise<void> {
    await this.#context.call('deleteCredentials', options);
  }
}
