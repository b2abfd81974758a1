/** A new key for the secrets of a data folder: everything that is encrypted is encrypted anew, and the key before is forgotten. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeDurably } from '../files.ts';
import { keyName, keysOf, Secrets, writeKeys } from './secrets.ts';

/** The files that hold encrypted texts. */
const FILES = [
  'credentials.json',
  'interpreter.json',
  'repositories.json',
  'revision-control.json',
  'embed-keys.json',
  'magpie/catalogue.json',
];

/** What was done: the name of the key, the texts that have it now, and those that no key opened and that are as they were. */
export interface Rotation {
  readonly key: string;
  readonly encrypted: number;
  readonly unreadable: number;
}

/**
 * Encrypts everything with a new key; no server may run on the folder. Where the environment has the keys, its first one is the
 * new one, and the caller takes the others out of it. At any moment of it a crash leaves a folder whose keys open what is there.
 */
export async function rotateSecrets(folder: string): Promise<Rotation> {
  const { file, keys: before } = await keysOf(folder);
  if (file === undefined && before.length < 2)
    throw new Error(
      'Put the new key before the old one first: TIDING_ENCRYPTION_KEY=new,old. A key is 32 random bytes in base64.',
    );
  const keys = file === undefined ? before : [randomBytes(32), ...before];
  if (file !== undefined) await writeKeys(file, keys);
  const secrets = new Secrets(keys);
  let [encrypted, unreadable] = [0, 0];
  const anew = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(anew);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, anew(each)]));
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
    const value = await readJson(join(folder, name));
    if (value !== undefined)
      await writeDurably(join(folder, name), `${JSON.stringify(anew(value), null, 2)}\n`);
  }
  // What could not be read may yet be, by a key of a backup; nothing is lost by an old key that stays.
  if (file !== undefined && unreadable === 0) await writeKeys(file, keys.slice(0, 1));
  return { key: keyName(keys[0]!), encrypted, unreadable };
}
