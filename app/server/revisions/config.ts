/** The settings of the remote: `revision-control.json`, its access token encrypted. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RevisionControl as Config } from 'tiding/protocol';
import type { Secrets } from '../auth/secrets.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably } from '../files.ts';
import { checkRemote } from './remote.ts';
import type { Remote } from './sync.ts';

/** Stands for a token that is not shown; sent back it means the one that is there. */
export const MASK = '********';

interface Stored {
  remoteUrl: string;
  userName: string;
  /** Encrypted. */
  accessToken: string;
  /** Who saved it: syncs are in this person's name. Absent in older files. */
  principal?: string;
}

/** See the head of this file. */
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
    return (await readJson(this.#file)) as Stored | undefined;
  }

  /** The settings, their token masked; `{}` where there are none. */
  async shown(): Promise<Config> {
    const stored = await this.#stored();
    return stored
      ? { remoteUrl: stored.remoteUrl, userName: stored.userName, accessToken: MASK }
      : {};
  }

  /** Where to, and in whose name; `undefined` where nothing is set. */
  async read(): Promise<{ remote: Remote; principal: string } | undefined> {
    const stored = await this.#stored();
    if (!stored) return undefined;
    const { remoteUrl, userName, accessToken, principal = FIRST_ADMIN } = stored;
    return {
      remote: { url: remoteUrl, userName, accessToken: this.#secrets.decrypt(accessToken) },
      principal,
    };
  }

  /** Saves settings in place of those before. Refuses with 400 what will not do; then those before stay. */
  async save(
    { remoteUrl = '', userName = '', accessToken = '' }: Config,
    principal: string,
  ): Promise<void> {
    for (const [name, value] of Object.entries({ remoteUrl, userName, accessToken })) {
      if (value.trim() === '') throw new Refusal(400, `${name} is missing`);
      if (/\p{Cc}/u.test(value)) throw new Refusal(400, `${name} contains a control character`);
    }
    const url = checkRemote(remoteUrl.trim(), this.#allowPrivate);
    let encrypted: string;
    if (accessToken === MASK) {
      const before = await this.#stored();
      if (!before) throw new Refusal(400, 'accessToken is missing');
      // Else whoever may save here could have the token sent to a host of his own.
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

  /** Forgets them. */
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
