/**
 * Rotates the encryption key of a data folder: encrypts all secrets again with a new key and
 * removes the old one.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJsonFile, writeDurably } from '../storage/files.ts';
import { keyName, readEncryptionKeys, Secrets, writeKeys } from './secrets.ts';

/** Files that contain encrypted texts. */
const FILES = [
  'credentials.json',
  'interpreter.json',
  'repositories.json',
  'revision-control.json',
  'embed-keys.json',
  'magpie/catalogue.json',
];

/**
 * Result of a rotation: the name of the new key, the number of texts encrypted with it, and the
 * number of texts that no key could decrypt and that were left unchanged.
 */
interface Rotation {
  readonly key: string;
  readonly encrypted: number;
  readonly unreadable: number;
}

/**
 * Encrypts everything with a new key. No server may be running on the folder. With keys from the
 * environment the first one is the new key, and the caller removes the others afterwards. If it
 * crashes at any point, the stored keys can still decrypt everything.
 */
export async function rotateSecrets(folder: string, env?: NodeJS.ProcessEnv): Promise<Rotation> {
  const { file, keys: before } = await readEncryptionKeys(folder, env);
  if (file === undefined && before.length < 2)
    throw new Error(
      'Put the new key before the old one first: TIDING_ENCRYPTION_KEY=new,old. ' +
        'A key is 32 random bytes in base64.',
    );
  const keys = file === undefined ? before : [randomBytes(32), ...before];
  if (file !== undefined) await writeKeys(file, keys);
  const secrets = new Secrets(keys);
  let [encrypted, unreadable] = [0, 0];
  const reencrypted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reencrypted);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, reencrypted(each)]),
      );
    if (typeof value !== 'string' || !Secrets.looksEncrypted(value)) return value;
    try {
      const text = secrets.encrypt(secrets.decrypt(value));
      encrypted += 1;
      return text;
    } catch {
      unreadable += 1;
      return value;
    }
  };
  for (const name of FILES) {
    const value = await readJsonFile(join(folder, name));
    if (value !== undefined)
      await writeDurably(join(folder, name), `${JSON.stringify(reencrypted(value), null, 2)}\n`);
  }
  // Unreadable texts may still be readable with a key from a backup; keeping old keys does no harm.
  if (file !== undefined && unreadable === 0) await writeKeys(file, keys.slice(0, 1));
  return { key: keyName(keys[0]!), encrypted, unreadable };
}
