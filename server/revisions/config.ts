/** Settings of the git remote in `revision-control.json`; the access token is encrypted. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RevisionControl as Config } from '@tiding/client/protocol';
import type { Secrets } from '../auth/secrets.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { Refusal, storageFailure } from '../base/errors.ts';
import { readJsonFile, writeDurably } from '../storage/files.ts';
import { checkRemote } from './remote.ts';
import type { Remote } from './sync.ts';

/** Placeholder for the hidden access token; when sent back it means the current one. */
const MASKED_TOKEN = '********';

interface Stored {
  remoteUrl: string;
  userName: string;
  /** Encrypted. */
  accessToken: string;
  /** The user who saved it and in whose name synchronizations run. Absent in older files. */
  principal?: string;
}

/** Stores the settings of the remote. */
export class RemoteConfig {
  readonly #file: string;
  readonly #secrets: Secrets;
  readonly #allowPrivate: boolean;

  constructor(folder: string, secrets: Secrets, allowPrivate: boolean) {
    this.#file = join(folder, 'revision-control.json');
    this.#secrets = secrets;
    this.#allowPrivate = allowPrivate;
  }

  async #stored(): Promise<Stored | undefined> {
    return (await readJsonFile(this.#file)) as Stored | undefined;
  }

  /** Returns the settings with a masked token; `{}` if there are none. */
  async shown(): Promise<Config> {
    const stored = await this.#stored();
    return stored
      ? { remoteUrl: stored.remoteUrl, userName: stored.userName, accessToken: MASKED_TOKEN }
      : {};
  }

  /** Returns the remote and the user who set it; `undefined` if nothing is set. */
  async read(): Promise<{ remote: Remote; principal: string } | undefined> {
    const stored = await this.#stored();
    if (!stored) return undefined;
    const { remoteUrl, userName, accessToken, principal = FIRST_ADMIN } = stored;
    return {
      remote: { url: remoteUrl, userName, accessToken: this.#secrets.decrypt(accessToken) },
      principal,
    };
  }

  /**
   * Replaces the settings. Throws a 400 refusal for invalid settings and keeps the previous ones.
   */
  async save(
    { remoteUrl = '', userName = '', accessToken = '' }: Config,
    principal: string,
  ): Promise<void> {
    for (const [name, value] of Object.entries({ remoteUrl, userName, accessToken })) {
      if (value.trim() === '') throw new Refusal(400, `${name} is missing.`);
      if (/\p{Cc}/u.test(value)) throw new Refusal(400, `${name} contains a control character.`);
    }
    const url = checkRemote(remoteUrl.trim(), this.#allowPrivate);
    let encrypted: string;
    if (accessToken === MASKED_TOKEN) {
      const before = await this.#stored();
      if (!before) throw new Refusal(400, 'accessToken is missing.');
      // Otherwise somebody who may save settings could send the stored token to a host of their
      // own.
      if (new URL(before.remoteUrl).origin !== url.origin)
        throw new Refusal(400, 'The remote is on another host: enter the access token again.');
      encrypted = before.accessToken;
    } else {
      encrypted = this.#secrets.encrypt(accessToken);
    }
    await this.#write({
      remoteUrl: url.href,
      userName: userName.trim(),
      accessToken: encrypted,
      principal,
    });
  }

  remove(): Promise<void> {
    return this.#write(undefined);
  }

  async #write(stored: Stored | undefined): Promise<void> {
    try {
      if (stored) await writeDurably(this.#file, `${JSON.stringify(stored, null, 2)}\n`);
      else await rm(this.#file, { force: true });
    } catch (error) {
      throw storageFailure(error);
    }
  }
}
