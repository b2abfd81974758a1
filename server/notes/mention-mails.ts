/** E-mails to users who are mentioned in a comment. */

import type { SendEmail } from '../auth/mail.ts';
import { RateLimit } from '../base/rate-limit.ts';
import type { Logger } from '../logging/log.ts';

/** Most e-mails that one author causes within {@link WINDOW_MS}. */
const MAX_MAILS = 100;
const WINDOW_MS = 3_600_000;

/** A comment that mentions users. */
export interface Mention {
  readonly author: string;
  readonly note: { readonly id: string; readonly name: string };
  readonly paragraphId: string;
  readonly text: string;
}

interface MentionMailsOptions {
  /** Absent if no mail server is configured. */
  readonly send: SendEmail | undefined;
  /** Returns the base URL of the server's pages. It is never taken from a request. */
  readonly url: () => string;
  readonly log: Logger;
}

/** Sends e-mails about comments. Failures are logged and don't affect the comment. */
export class MentionMails {
  readonly #options: MentionMailsOptions;
  readonly #limit = new RateLimit(MAX_MAILS, WINDOW_MS);

  constructor(options: MentionMailsOptions) {
    this.#options = options;
  }

  /** Sends the comment to these users, apart from its author. Returns at once. */
  send(users: readonly string[], { author, note, paragraphId, text }: Mention): void {
    const { log, send, url } = this.#options;
    if (!send) return;
    const link =
      `${url()}/#/notebook/${encodeURIComponent(note.id)}` +
      `?paragraph=${encodeURIComponent(paragraphId)}`;
    const oneLine = note.name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    for (const to of users) {
      if (to === author) continue;
      if (!this.#limit.take(author)) {
        log.warn({ principal: author }, 'too many mentions: no more e-mails for this hour');
        return;
      }
      send({
        to,
        subject: `${author} mentioned you in ${oneLine}`,
        text:
          `${author} mentioned you in a comment on the note ${oneLine}:\n\n` +
          `${text.replace(/^/gm, '> ')}\n\nOpen the note:\n${link}\n`,
      }).catch((error: Error) =>
        log.warn({ principal: to, error: error.message }, 'a mention was not mailed'),
      );
    }
  }
}
