/** Secrets the server must be able to read again (access tokens of remotes, passwords of data sources), encrypted at rest. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../files.ts';

const CIPHER = 'aes-256-gcm';
/** Marks the format: `v2:<name of the key>:<base64>`; the first one had no name of a key. */
const PREFIX = 'v2:';
const FIRST_PREFIX = 'v1:';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Where the keys are. */
export interface KeySource {
  /** The file; `undefined`: the environment has them. */
  readonly file: string | undefined;
  /** The one that encrypts, and those before it, which are still read. */
  readonly keys: readonly Buffer[];
}

/** The name of a key, which says nothing of it. */
export const keyName = (key: Buffer): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 12);

/** Reads the keys of a data folder, or makes one. Rejects on a damaged one: a new key would make every secret unreadable. */
export async function keysOf(dataFolder: string): Promise<KeySource> {
  const given = process.env['TIDING_ENCRYPTION_KEY'];
  if (given)
    return {
      file: undefined,
      keys: parseKeys(
        given,
        'The variable TIDING_ENCRYPTION_KEY does not hold a key: 32 bytes in base64, or several with commas, the newest first.',
      ),
    };
  const file = process.env['TIDING_ENCRYPTION_KEY_FILE'] || join(dataFolder, 'encryption.key');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    text = randomBytes(KEY_BYTES).toString('base64');
    await writeDurably(file, text, 0o600);
  }
  await chmod(file, 0o600);
  return { file, keys: parseKeys(text, `The file ${file} is damaged: it holds no key.`) };
}

/** Replaces the keys of a file; the first encrypts. */
export async function writeKeys(file: string, keys: readonly Buffer[]): Promise<void> {
  await writeDurably(file, keys.map((key) => key.toString('base64')).join('\n'), 0o600);
}

/**
 * Encrypts with a key that stays in the data folder, in `encryption.key`, readable for the server's account only: a backup that
 * holds both can be read. `TIDING_ENCRYPTION_KEY_FILE` names a file elsewhere; `TIDING_ENCRYPTION_KEY` in the environment is
 * the key itself, and never written down.
 */
export class Secrets {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #name: string;

  /** The first key encrypts; what any of them encrypted is read. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = new Map(keys.map((key) => [keyName(key), key]));
    this.#name = keyName(keys[0]!);
  }

  /** With the keys of a data folder, see {@link keysOf}. */
  static async open(dataFolder: string): Promise<Secrets> {
    return new Secrets((await keysOf(dataFolder)).keys);
  }

  /** Whether a text has the form of an encrypted one. */
  static looksEncrypted(text: string): boolean {
    const found = /^(?:v1|v2:[0-9a-f]{12}):([A-Za-z0-9+/]+=*)$/.exec(text);
    return found !== null && Buffer.from(found[1]!, 'base64').length >= IV_BYTES + TAG_BYTES;
  }

  /** The encrypted text, as one line of ASCII; the same text gives another line each time. */
  encrypt(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys.get(this.#name)!, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${PREFIX}${this.#name}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
  }

  /** What was encrypted. Throws where the text was changed or made with another key. */
  decrypt(text: string): string {
    if (!Secrets.looksEncrypted(text)) throw new Error('not an encrypted text');
    const bytes = Buffer.from(text.slice(text.lastIndexOf(':') + 1), 'base64');
    const named = text.startsWith(FIRST_PREFIX)
      ? [...this.#keys.values()]
      : [this.#keys.get(text.split(':')[1]!)];
    for (const key of named) {
      if (!key) break;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') +
          decipher.final('utf8')
        );
      } catch {
        // Not this one.
      }
    }
    throw new Error('a secret cannot be read: it was changed, or encrypted with another key');
  }
}

function parseKeys(text: string, problem: string): Buffer[] {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((each) => Buffer.from(each, 'base64'));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) throw new Error(problem);
  return keys;
}
