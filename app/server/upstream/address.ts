/** The address of the server behind this one. */

/**
 * Reads it: `http` or `https`, with a context path where there is one. Throws a sentence for people on anything else; a
 * password in it would end in logs and in the list of processes.
 */
export function parseUpstream(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Error(`'${text}' is no address: one looks like http://zeppelin.example.org:8080`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error('the address of a Zeppelin starts with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new Error('the address of a Zeppelin has neither a user name nor a password in it');
  if (url.search !== '' || url.hash !== '')
    throw new Error('the address of a Zeppelin has neither ? nor #');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * The path of a call from its pattern (`/notebook/:noteId`) and its parameters, each one segment however it was written.
 * `undefined` where a parameter would lead to another call.
 */
export function pathOf(
  pattern: string,
  params: Readonly<Record<string, string>>,
): string | undefined {
  let good = true;
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    // Some servers take an encoded slash for one, and what follows a semicolon for nothing.
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
