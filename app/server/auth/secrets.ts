/** Secrets the server must be able to read again (access tokens of remotes, passwords of data sources), encrypted at rest. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../files.ts';

const CIPHER = 'aes-256-gcm';
/** Marks the format, so that another can follow. */
const PREFIX = 'v1:';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with a key that stays in the data folder, in `encryption.key`, readable for the server's account only: a backup that
 * holds both can be read. `TIDING_ENCRYPTION_KEY` in the environment keeps it out of there; it is never written down then.
 */
export class Secrets {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /** Reads the key of a data folder, or makes it. Rejects on a damaged one: a new key would make every secret unreadable. */
  static async open(dataFolder: string): Promise<Secrets> {
    const file = join(dataFolder, 'encryption.key');
    const given = process.env['TIDING_ENCRYPTION_KEY'];
    if (given) return new Secrets(keyOf(given, 'The variable TIDING_ENCRYPTION_KEY does not hold a key: 32 bytes in base64.'));
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      text = randomBytes(KEY_BYTES).toString('base64');
      await writeDurably(file, text, 0o600);
    }
    await chmod(file, 0o600);
    return new Secrets(keyOf(text, `The file ${file} is damaged: it holds no key.`));
  }

  /** The encrypted text, as one line of ASCII; the same text gives another line each time. */
  encrypt(text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /** What was encrypted. Throws where the text was changed or made with another key. */
  decrypt(text: string): string {
    const bytes = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '', 'base64');
    if (bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not an encrypted text');
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new Error('a secret cannot be read: it was changed, or encrypted with another key');
    }
  }
}

function keyOf(text: string, problem: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) throw new Error(problem);
  return key;
}
