/** Password hashes: scrypt, at most two at once, because each takes 128 MB. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Shortest password. */
export const MIN_PASSWORD = 8;
/** Longest password: a longer one only costs time. */
const MAX_PASSWORD = 1_024;
const COST = 2 ** 17;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (running >= 2) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await new Promise((resolve, reject) => {
      scrypt(
        password.normalize('NFKC'),
        salt,
        32,
        { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 },
        (error, key) => (error ? reject(error) : resolve(key)),
      );
    });
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** A hash to store: `scrypt$N$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return `scrypt$${COST}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Whether a password fits a stored hash. Takes the same time for an unknown user (`stored` absent). */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [scheme, cost, salt, key] = (
    stored ?? `scrypt$${COST}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  ).split('$');
  if (scheme !== 'scrypt' || !cost || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), Number(cost));
  return (
    stored !== undefined && expected.length === actual.length && timingSafeEqual(expected, actual)
  );
}

/** Why a password will not do for a user, as a sentence; `undefined` where it will. */
export function weakness(password: string, name: string): string | undefined {
  if (password.trim() === '') return 'The password is blank.';
  if (password.length < MIN_PASSWORD)
    return `The password needs at least ${MIN_PASSWORD} characters.`;
  if (password.length > MAX_PASSWORD) return `The password has at most ${MAX_PASSWORD} characters.`;
  if (new Set(password).size < 3) return 'The password needs at least three different characters.';
  if (password.toLowerCase() === name.toLowerCase()) return 'The password is the user name.';
  return undefined;
}
