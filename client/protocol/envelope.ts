/** The envelope of every live message: one JSON object per text frame. */
import * as z from 'zod/mini';
import { jsonObject, maybe, open } from './define.ts';

/**
 * A frame sent by a client. Identity travels in each message; `roles` is the JSON text of a list,
 * exactly as in the ticket.
 */
export const clientFrame = open({
  op: z.string().check(z.minLength(1), z.maxLength(100)),
  data: maybe(jsonObject),
  principal: maybe(z.string()),
  ticket: maybe(z.string()),
  roles: maybe(z.string()),
  msgId: maybe(z.string()),
});
/** A decoded client frame. */
export type ClientFrame = z.infer<typeof clientFrame>;

/** A frame sent by a server. Its identity fields are empty and ignored. */
export const serverFrame = open({
  op: z.string(),
  data: maybe(z.unknown()),
  msgId: maybe(z.string()),
});
/** A decoded server frame. */
export type ServerFrame = z.infer<typeof serverFrame>;

/** Identity of a session as every live message carries it. */
export interface Identity {
  /** Name of the user; `anonymous` without sign-in. */
  principal: string;
  /** Secret of the session, from `GET /security/ticket`. */
  ticket: string;
  /** JSON text of a list of role names, for example `["analyst"]`. */
  roles: string;
}

export * from './constants.ts';
