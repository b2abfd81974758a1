/**
 * Password hashes with scrypt, in threads of libuv. At most two are computed at once: each takes
 * 128 MB, and files need the other threads.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Minimum password length, in characters. */
export const MIN_PASSWORD = 8;
/** Maximum password length, in characters; longer ones only cost time. */
const MAX_PASSWORD = 1_024;
/** Cost parameter N of scrypt for new hashes. A hash records its own. */
export const HASH_COST = 2 ** 17;
let cost = HASH_COST;
let running = 0;
const waiting: (() => void)[] = [];

/** Sets the cost of new hashes and returns the previous one. For tests, because a hash is slow. */
export function setHashCost(n: number): number {
  const before = cost;
  cost = n;
  return before;
}

async function derive(password: string, salt: Buffer, N: number, isFirst = false): Promise<Buffer> {
  if (running >= 2)
    await new Promise<void>((resolve) => waiting[isFirst ? 'unshift' : 'push'](resolve));
  running += 1;
  try {
    return await new Promise((resolve, reject) => {
      scrypt(
        password.normalize('NFKC'),
        salt,
        32,
        { N, r: 8, p: 1, maxmem: 256 * N * 8 },
        (error, key) => (error ? reject(error) : resolve(key)),
      );
    });
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** Returns a hash to store: `scrypt$N$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return `scrypt$${cost}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/**
 * Returns whether a password matches a stored hash. Takes the same time for an unknown user
 * (`stored` absent). `isFirst`: before other passwords that wait.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): Promise<boolean> {
  const [scheme, storedCost, salt, key] = (
    stored ?? `scrypt$${cost}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  ).split('$');
  if (scheme !== 'scrypt' || !storedCost || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(
    password,
    Buffer.from(salt, 'base64url'),
    Number(storedCost),
    isFirst,
  );
  return (
    stored !== undefined && expected.length === actual.length && timingSafeEqual(expected, actual)
  );
}

/**
 * Returns why a password is too weak for a user, as a sentence; `undefined` if it is acceptable.
 */
export function passwordWeakness(password: string, name: string): string | undefined {
  if (password.trim() === '') return 'Enter a password.';
  if (password.length < MIN_PASSWORD)
    return `The password needs at least ${MIN_PASSWORD} characters.`;
  if (password.length > MAX_PASSWORD)
    return `The password may have at most ${MAX_PASSWORD} characters.`;
  if (new Set(password).size < 3) return 'The password needs at least three different characters.';
  if (password.toLowerCase() === name.toLowerCase())
    return 'The password must differ from the user name.';
  return undefined;
}
