/** Address of the Zeppelin behind this server, and the paths of its calls. */

/**
 * Parses the address: `http` or `https`, optionally with a context path. Throws an error with a
 * user-readable message otherwise. Passwords are rejected, because they would end up in logs and in
 * the process list.
 */
export function parseUpstream(text: string): URL {
  if (!URL.canParse(text))
    throw new Error(`'${text}' is not a URL. Use the form http://zeppelin.example.org:8080.`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('The URL of a Zeppelin must start with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw new Error('The URL of a Zeppelin must not contain a user name or password.');
  if (url.search !== '' || url.hash !== '')
    throw new Error('The URL of a Zeppelin must not contain ? or #.');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * Builds the path of a call from its pattern (`/notebook/:noteId`) and its parameters, each as one
 * segment however it was written. Returns `undefined` if a parameter would lead to a different
 * call.
 */
export function upstreamPath(
  pattern: string,
  params: Readonly<Record<string, string>>,
): string | undefined {
  let good = true;
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    // Some servers decode an encoded slash, and ignore everything after a semicolon.
    if (
      value === '' ||
      value === '.' ||
      value.split(/[/\\;]/).includes('..') ||
      /\p{Cc}/u.test(value)
    )
      good = false;
    return encodeURIComponent(value);
  });
  return good ? path : undefined;
}
