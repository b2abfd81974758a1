/** Addresses of data sources, which often contain passwords. */
import { decodedPart } from '../../model/text/decoded-part.ts';

const SECRET = /(pass|pwd|secret|token|key|credential|signature|\bsig\b)/i;
/** Replaces a hidden value. */
const HIDDEN = '…';

/**
 * Hides the secret parts of an address: the password of `//user:password@host`, and the values
 * of parameters whose names suggest a secret (`password`, `secret`, `token`, `key`, …) after
 * `?`, `&` or `;`. Also handles `jdbc:` addresses, which no URL parser reads.
 *
 * @example
 * withoutSecrets('https://ana:hunter2@files.example/'); // 'https://ana:…@files.example/'
 */
export function withoutSecrets(address: string): string {
  return address
    .replace(/(\/\/[^/?#;@\s:]*):[^/?#\s]*@/g, `$1:${HIDDEN}@`)
    .replace(/(thin:[^/@\s]+)\/[^@\s]*@/gi, `$1/${HIDDEN}@`)
    .replace(
      /([?&;#]\s*)([^=?&;#\s]+)=([^&;#]*)/g,
      (whole, before: string, name: string, value: string) =>
        value !== '' && SECRET.test(decodedPart(name)) ? `${before}${name}=${HIDDEN}` : whole,
    );
}
