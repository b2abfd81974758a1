/** Names of what REST calls are for, for messages about servers that lack them. */

const features: readonly (readonly [path: RegExp, feature: string])[] = [
  [/^\/(open|async)api\.json$/, 'description of its calls'],
  [/\/check$/, 'checks of code'],
  [/\/format$/, 'formatting of code'],
  [/^\/interpreter\/kernel$/, 'list of kernels'],
  [/^\/login\/sso/, 'single sign-on'],
  [/^\/login\/once$/, 'sign-in links'],
  [/^\/helium\//, 'packages'],
  [/^\/magpie\/access-token/, 'access tokens'],
  [/^\/magpie\/assistant/, 'assistant'],
  [/^\/magpie\/clusters/, 'clusters'],
  [/^\/magpie\/comments?\b/, 'comments'],
  [/^\/magpie\/connections/, 'connections to databases'],
  [/^\/magpie\/embed-token/, 'embed tokens'],
  [/^\/magpie\/file/, 'files'],
  [/^\/magpie\/image/, 'images in notes'],
  [/^\/magpie\/jobs.*alerts$/, 'alerts'],
  [/^\/magpie\/jobs/, 'history of runs'],
  [/^\/magpie\/note-file$/, 'import from an address'],
  [/^\/magpie\/object/, 'data platform'],
  [/^\/magpie\/password-reset/, 'reset of passwords'],
  [/^\/magpie\/result/, 'complete tables of results'],
  [/^\/magpie\/run-copy/, 'isolated runs'],
  [/^\/magpie\/revision-control/, 'revision control'],
  [/^\/magpie\/trust/, 'trusted notes'],
  [/^\/magpie\/(users|principals)/, 'user management'],
  [/^\/magpie\/variables/, 'list of variables'],
  [/^\/magpie\//, 'platform'],
];

/** Returns what a call is for, by its path; undefined for calls that every server has. */
export const featureOf = (path: string): string | undefined =>
  features.find(([pattern]) => pattern.test(path))?.[1];

/** Start of the answer of a Tiding server to an unknown path. */
const NO_SUCH_CALL = 'There is no such call.';

/**
 * Returns the message for a 404 if the server does not know the path, else undefined.
 * @param message the server's own message
 */
export function lackMessage(path: string, message: string | undefined): string | undefined {
  const feature = featureOf(path);
  const isUnknown = message === undefined || message.startsWith(NO_SUCH_CALL);
  if (feature === undefined || !isUnknown) return undefined;
  return `This server has no ${feature}.${message?.slice(NO_SUCH_CALL.length) ?? ''}`;
}
