import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { ClientArea } from '../session/client-area.ts';

/**
 * The user's credentials for data sources, by entity (`group.name` of an interpreter). Never log
 * the result of `list`: Apache Zeppelin returns passwords in plain text.
 */
export class CredentialsApi extends ClientArea {
  /** Returns the user's own entries by entity. */
  async list(
    options: CallOptions = {},
  ): Promise<
    Readonly<Record<string, { username?: string | undefined; password?: string | undefined }>>
  > {
    return (await this.context.call('listCredentials', options)).userCredentials ?? {};
  }

  /**
   * Sets the credential of an entity. If entity or user name is blank, rejects with 'Username \
   * Entity can not be empty.' (specification) without sending anything. The password may be empty,
   * but Apache Zeppelin refuses that with status 400.
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
    await this.context.call('putCredential', {
      ...options,
      body: { entity: entity.trim(), username: username.trim(), password },
    });
  }

  /** Deletes the credential of an entity. Rejects with status 404 if there is none. */
  async remove(entity: string, options: CallOptions = {}): Promise<void> {
    await this.context.call('deleteCredential', { ...options, params: { entity } });
  }

  /** Deletes all of the user's credentials. */
  async removeAll(options: CallOptions = {}): Promise<void> {
    await this.context.call('deleteCredentials', options);
  }
}
