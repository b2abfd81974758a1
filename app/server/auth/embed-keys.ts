/** The keys that sign embed tokens: several are good at once, so that a new one lets nobody down who has a token of the one before. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SharedList } from '../files.ts';
import type { Secrets } from './secrets.ts';

interface Stored {
  kid: string;
  /** 32 bytes in base64, encrypted. */
  secret: string;
  /** ISO 8601 UTC. */
  createdAt: string;
}

/** A key: its name, and what signs. */
export interface EmbedKey {
  readonly kid: string;
  readonly secret: Buffer;
}

/** A key signs this long, in ms; then a new one is made. */
const SIGNS_MS = 30 * 24 * 3_600_000;
/** What a key signed is good for this long after the next one was made, in ms: longer than any token lives. */
const VERIFIES_MS = 10 * 60_000;
const KEY_BYTES = 32;

/** The keys of a data folder, in `embed-keys.json`. The command line makes new ones under a running server. */
export class EmbedKeys {
  readonly #list: SharedList<Stored>;
  readonly #secrets: Secrets;
  readonly #read = new Map<string, Buffer>();

  constructor(folder: string, secrets: Secrets) {
    this.#list = new SharedList(join(folder, 'embed-keys.json'), 'keys');
    this.#secrets = secrets;
  }

  #key({ kid, secret }: Stored): EmbedKey {
    let bytes = this.#read.get(secret);
    if (!bytes)
      this.#read.set(secret, (bytes = Buffer.from(this.#secrets.decrypt(secret), 'base64')));
    if (bytes.length < KEY_BYTES)
      throw new Error(`The key ${kid} of embed-keys.json is too short.`);
    return { kid, secret: bytes };
  }

  /** The key that signs now; made where there is none, or where it is old. */
  async signing(): Promise<EmbedKey> {
    await this.#list.refresh();
    const isOld = (key: Stored | undefined) =>
      !key || Date.now() - Date.parse(key.createdAt) > SIGNS_MS;
    if (isOld(this.#list.items.at(-1)))
      await this.#list.update((keys) => (isOld(keys.at(-1)) ? this.#withNew(keys) : keys));
    return this.#key(this.#list.items.at(-1)!);
  }

  /** The keys whose signatures count now, newest first. */
  async verifying(): Promise<EmbedKey[]> {
    await this.#list.refresh();
    return this.#good(this.#list.items)
      .map((key) => this.#key(key))
      .reverse();
  }

  #good(keys: readonly Stored[]): Stored[] {
    return keys.filter(
      (_, at) =>
        at === keys.length - 1 || Date.now() - Date.parse(keys[at + 1]!.createdAt) < VERIFIES_MS,
    );
  }

  #withNew(keys: readonly Stored[]): Stored[] {
    const key = {
      kid: randomBytes(6).toString('base64url'),
      secret: this.#secrets.encrypt(randomBytes(KEY_BYTES).toString('base64')),
      createdAt: new Date().toISOString(),
    };
    return this.#good([...keys, key]);
  }

  /** Makes a new key, which signs from now on. Resolves with its name. */
  async rotate(): Promise<string> {
    await this.#list.update((keys) => this.#withNew(keys));
    return this.#list.items.at(-1)!.kid;
  }
}
