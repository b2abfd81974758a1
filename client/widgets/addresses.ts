/** Addresses of data sources, which people like to put passwords into. */

const SECRET = /(pass|pwd|secret|token|key|credential|signature|\bsig\b)/i;
/** Stands for what is not shown. */
const HIDDEN = '…';

/**
 * An address without what would let its reader in: the password of `//user:password@host`, and the values of parameters that are called
 * like one (`password`, `secret`, `token`, `key`…) after `?`, `&` or `;`. Also of `jdbc:` addresses, which no URL parser reads.
 */
export function withoutSecrets(address: string): string {
  return address
    .replace(/(\/\/[^/?#;@\s:]*):[^/?#\s]*@/g, `$1:${HIDDEN}@`)
    .replace(/(thin:[^/@\s]+)\/[^@\s]*@/gi, `$1/${HIDDEN}@`)
    .replace(
      /([?&;#]\s*)([^=?&;#\s]+)=([^&;#]*)/g,
      (whole, before: string, name: string, value: string) =>
        value !== '' && SECRET.test(decoded(name)) ? `${before}${name}=${HIDDEN}` : whole,
    );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
