/** Letters by SMTP. */
import { createTransport } from 'nodemailer';
import type { SendMail } from './password-resets.ts';

/** One address and nothing beside it: no second recipient, no header, no display name. */
export const isAddress = (text: string) =>
  /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u.test(text);
const TIMEOUT_MS = 20_000;

/** What is configured. `smtpUrl`: `smtp[s]://user:password@host:port`; `mailFrom`: `Notes <notes@example.org>`. */
interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}

/** Sends one letter of plain text; `false`: `to` is no address. Rejects where the mail server does not take it. */
export type SendLetter = (letter: {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}) => Promise<boolean>;

/** Sends letters by a mail server, each over a connection of its own; undefined where none is configured. Throws a sentence for people on settings that will not do. */
export function smtpLetters({ smtpUrl, mailFrom }: MailSettings): SendLetter | undefined {
  if (smtpUrl === undefined) return undefined;
  // The address is not repeated: a password is in it.
  if (!URL.canParse(smtpUrl) || !/^smtps?:$/.test(new URL(smtpUrl).protocol))
    throw new Error(
      'TIDING_SMTP_URL is no address of a mail server: it looks like smtps://user:password@mail.example.org.',
    );
  if (mailFrom === undefined || /[\r\n]/.test(mailFrom))
    throw new Error(
      'Letters need a sender: set TIDING_MAIL_FROM, for example "Notes <notes@example.org>".',
    );
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // With a password only over TLS, whatever the server offers.
    requireTLS: !secure && username !== '',
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text }) => {
    if (!isAddress(to)) return false;
    await transport.sendMail({
      from: mailFrom,
      to: { name: '', address: to },
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return true;
  };
}

/** Sends the letters of password resets. See {@link smtpLetters}. */
export function smtpMailer(settings: MailSettings): SendMail | undefined {
  const send = smtpLetters(settings);
  return (
    send &&
    (({ to, link, expiresAt }) =>
      send({
        to,
        subject: 'Set a new password for Tiding',
        text: `Somebody, hopefully you, asked for a new password for ${to}.\n\nSet it here, once, until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC:\n\n${link}\n\nIf it was not you, nothing has changed and nothing needs to be done.\n`,
      }))
  );
}
