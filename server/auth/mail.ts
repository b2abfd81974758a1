/** Sends e-mail by SMTP. */
import type { SendMail } from '../base/options.ts';

/** Returns whether a text is a single bare address: no second recipient, header or display name. */
export const isAddress = (text: string) =>
  /^[^\s@,;:<>()[\]\\"\p{Cc}]+@[^\s@,;:<>()[\]\\"\p{Cc}]+$/u.test(text);
const TIMEOUT_MS = 20_000;

/**
 * Mail settings. `smtpUrl`: `smtp[s]://user:password@host:port`; `mailFrom`: `Notes
 * <notes@example.org>`.
 */
interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
}

/**
 * Sends a plain-text e-mail. Resolves with `false` if `to` is not an address; rejects if the mail
 * server refuses it.
 */
export type SendEmail = (letter: {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}) => Promise<boolean>;

/**
 * Returns a function that sends e-mail, with a new connection for each; `undefined` if no mail
 * server is configured. Throws an error with a user-readable message for invalid settings.
 */
export function smtpSender({ smtpUrl, mailFrom }: MailSettings): SendEmail | undefined {
  if (smtpUrl === undefined) return undefined;
  // Don't quote the URL: it contains a password.
  if (!URL.canParse(smtpUrl) || !/^smtps?:$/.test(new URL(smtpUrl).protocol))
    throw new Error(
      'TIDING_SMTP_URL is not a mail server URL. ' +
        'Use the form smtps://user:password@mail.example.org.',
    );
  if (mailFrom === undefined || /[\r\n]/.test(mailFrom))
    throw new Error(
      'E-mails need a sender. Set TIDING_MAIL_FROM, for example "Notes <notes@example.org>".',
    );
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const settings = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Send a password only over TLS, whatever the server offers.
    requireTLS: !secure && username !== '',
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return async ({ to, subject, text }) => {
    if (!isAddress(to)) return false;
    const { createTransport } = await import('nodemailer');
    await createTransport(settings).sendMail({
      from: mailFrom,
      to: { name: '', address: to },
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return true;
  };
}

/** Returns a function that sends e-mails with password links. See {@link smtpSender}. */
export function smtpMailer(settings: MailSettings): SendMail | undefined {
  const send = smtpSender(settings);
  return (
    send &&
    (({ to, link, expiresAt, invitation }) => {
      const until = `${expiresAt.slice(0, 16).replace('T', ' ')} UTC`;
      return send(
        invitation
          ? {
              to,
              subject: 'You are invited to Tiding',
              text:
                `An administrator created an account for you. Your user name is ${to}.\n\n` +
                'Open this link to set your password. The link works once, until ' +
                `${until}.\n\n${link}\n\n` +
                'If you did not expect this e-mail, ignore it.\n',
            }
          : {
              to,
              subject: 'Set a new password for Tiding',
              text:
                `Somebody requested a new password for ${to}.\n\n` +
                'If it was you, open this link to set it. The link works once, until ' +
                `${until}.\n\n${link}\n\n` +
                'If it was not you, ignore this e-mail. Your password has not changed.\n',
            },
      );
    })
  );
}
