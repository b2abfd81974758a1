/**
 * Encryption at rest for secrets that the server must be able to read again, such as access tokens
 * of remotes and passwords of data sources.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../storage/files.ts';

const CIPHER = 'aes-256-gcm';
/** Format marker: `v2:<key name>:<base64>`. The first format had no key name. */
const PREFIX = 'v2:';
const FIRST_PREFIX = 'v1:';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The encryption keys and their origin. */
interface KeySource {
  /** The key file; `undefined` if the keys come from the environment. */
  readonly file: string | undefined;
  /** The key that encrypts, followed by older keys that can still decrypt. */
  readonly keys: readonly Buffer[];
}

/** Returns the name of a key, which reveals nothing about the key. */
export const keyName = (key: Buffer): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 12);

/**
 * Reads the keys of a data folder, or creates one. Rejects if the file is damaged, because a new
 * key would make every secret unreadable.
 */
export async function readEncryptionKeys(
  dataFolder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<KeySource> {
  const given = env['TIDING_ENCRYPTION_KEY'];
  if (given)
    return {
      file: undefined,
      keys: parseKeys(
        given,
        'The variable TIDING_ENCRYPTION_KEY does not hold a key: 32 bytes in base64, ' +
          'or several with commas, the newest first.',
      ),
    };
  const file = env['TIDING_ENCRYPTION_KEY_FILE'] || join(dataFolder, 'encryption.key');
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

/** Writes the keys to a file; the first one encrypts. */
export async function writeKeys(file: string, keys: readonly Buffer[]): Promise<void> {
  await writeDurably(file, keys.map((key) => key.toString('base64')).join('\n'), 0o600);
}

/**
 * Encrypts with a key stored in the data folder, in `encryption.key`, readable by the server's
 * account only. A backup with both key and data can therefore be decrypted.
 * `TIDING_ENCRYPTION_KEY_FILE` names a file elsewhere; `TIDING_ENCRYPTION_KEY` in the environment
 * is the key itself and is never written to disk.
 */
export class Secrets {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #name: string;

  /** The first key encrypts; every key can decrypt. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = new Map(keys.map((key) => [keyName(key), key]));
    this.#name = keyName(keys[0]!);
  }

  /** Opens the keys of a data folder, see {@link readEncryptionKeys}. */
  static async open(dataFolder: string, env?: NodeJS.ProcessEnv): Promise<Secrets> {
    return new Secrets((await readEncryptionKeys(dataFolder, env)).keys);
  }

  /** Returns whether a text has the form of an encrypted one. */
  static looksEncrypted(text: string): boolean {
    const found = /^(?:v1|v2:[0-9a-f]{12}):([A-Za-z0-9+/]+=*)$/.exec(text);
    return found !== null && Buffer.from(found[1]!, 'base64').length >= IV_BYTES + TAG_BYTES;
  }

  /** Encrypts a text into one line of ASCII, which differs each time. */
  encrypt(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keys.get(this.#name)!, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]);
    return `${PREFIX}${this.#name}:${sealed.toString('base64')}`;
  }

  /** Decrypts a text. Throws if it was modified or encrypted with another key. */
  decrypt(text: string): string {
    if (!Secrets.looksEncrypted(text)) throw new Error('The text is not encrypted.');
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
        // Not this key.
      }
    }
    throw new Error('A secret cannot be read: it was modified, or encrypted with another key.');
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
