/**
 * Signing keys of embed tokens. Several keys are valid at once, so that tokens signed with the
 * previous key keep working after a rotation.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Ages } from '../storage/ages.ts';
import { SharedList } from '../storage/files.ts';
import type { Secrets } from './secrets.ts';

interface Stored {
  kid: string;
  /** 32 bytes in base64, encrypted. */
  secret: string;
  /** ISO 8601 UTC. */
  createdAt: string;
}

/** A signing key with its name. */
export interface EmbedKey {
  readonly kid: string;
  readonly secret: Buffer;
}

/** A key signs for this long, in ms; then a new one is created. */
const SIGNS_MS = 30 * 24 * 3_600_000;
/**
 * A key's signatures stay valid for this long after the next key was created, in ms: longer than
 * any token lives.
 */
const VERIFIES_MS = 10 * 60_000;
const KEY_BYTES = 32;

/**
 * The keys of a data folder, in `embed-keys.json`. The command line may create new ones while a
 * server runs.
 */
export class EmbedKeys {
  readonly #list: SharedList<Stored>;
  readonly #secrets: Secrets;
  readonly #read = new Map<string, Buffer>();
  readonly #ages = new Ages();

  constructor(folder: string, secrets: Secrets) {
    this.#list = new SharedList(join(folder, 'embed-keys.json'), 'keys');
    this.#secrets = secrets;
  }

  #key({ kid, secret }: Stored): EmbedKey {
    let bytes = this.#read.get(secret);
    if (!bytes)
      this.#read.set(secret, (bytes = Buffer.from(this.#secrets.decrypt(secret), 'base64')));
    if (bytes.length < KEY_BYTES)
      throw new Error(`The key ${kid} in embed-keys.json is too short. Create a new key.`);
    return { kid, secret: bytes };
  }

  /** Returns the current signing key, and creates one if there is none or it is too old. */
  async signing(): Promise<EmbedKey> {
    await this.#list.refresh();
    const isOld = (key: Stored | undefined) => !key || this.#age(key) > SIGNS_MS;
    if (isOld(this.#list.items.at(-1)))
      await this.#list.update((keys) => (isOld(keys.at(-1)) ? this.#withNew(keys) : keys));
    return this.#key(this.#list.items.at(-1)!);
  }

  /** Returns the keys whose signatures are currently valid, newest first. */
  async verifying(): Promise<EmbedKey[]> {
    await this.#list.refresh();
    return this.#good(this.#list.items)
      .map((key) => this.#key(key))
      .reverse();
  }

  /** Time since a key was created, in ms. */
  #age({ kid, createdAt }: Stored): number {
    return this.#ages.of(`${kid} ${createdAt}`, Date.parse(createdAt));
  }

  #good(keys: readonly Stored[]): Stored[] {
    return keys.filter((_, at) => at === keys.length - 1 || this.#age(keys[at + 1]!) < VERIFIES_MS);
  }

  #withNew(keys: readonly Stored[]): Stored[] {
    const key = {
      kid: randomBytes(6).toString('base64url'),
      secret: this.#secrets.encrypt(randomBytes(KEY_BYTES).toString('base64')),
      createdAt: new Date().toISOString(),
    };
    return this.#good([...keys, key]);
  }

  /** Creates a new signing key. Resolves with its name. */
  async rotate(): Promise<string> {
    await this.#list.update((keys) => this.#withNew(keys));
    return this.#list.items.at(-1)!.kid;
  }
}
