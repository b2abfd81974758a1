import type { ActingUser } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import { RateLimit } from '../base/rate-limit.ts';
import type { ServerContext } from './context.ts';

const MINUTE_MS = 60_000;

/**
 * Returns a function that counts what a user does on a server. Beyond `perMinute` it throws a
 * {@link Refusal} with the sentence.
 */
export function userLimit(perMinute: number, sentence: string) {
  const limits = new WeakMap<ServerContext, RateLimit>();
  return ({ principal }: ActingUser, context: ServerContext): void => {
    let limit = limits.get(context);
    if (!limit) limits.set(context, (limit = new RateLimit(perMinute, MINUTE_MS)));
    if (!limit.take(principal)) throw new Refusal(429, sentence, 'error', { retryAfter: 60 });
  };
}
