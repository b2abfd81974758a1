/** Session cookies of one server, for platforms that keep none (Node.js). */
interface CookieJar {
  read(response: Response): void;
  header(): string | undefined;
}

/**
 * Creates an empty cookie jar. In a browser it stays empty, because scripts can't read `Set-Cookie`
 * there.
 */
export function cookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  return {
    read(response) {
      for (const line of response.headers.getSetCookie?.() ?? []) {
        const [pair = '', ...attributes] = line.split(';');
        const at = pair.indexOf('=');
        if (at < 1) continue;
        const name = pair.slice(0, at).trim();
        const value = pair.slice(at + 1).trim();
        const gone = attributes.some((attribute) => {
          const [, key = '', text = ''] =
            /^\s*(max-age|expires)\s*=\s*(.*?)\s*$/i.exec(attribute) ?? [];
          return (
            key !== '' &&
            (key.toLowerCase() === 'expires' ? Date.parse(text) <= Date.now() : Number(text) <= 0)
          );
        });
        // Apache Zeppelin sends `JSESSIONID=deleteMe` before the actual cookie.
        if (gone) cookies.delete(name);
        else if (value !== 'deleteMe') cookies.set(name, value);
      }
    },
    header: () =>
      cookies.size === 0
        ? undefined
        : [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
}
