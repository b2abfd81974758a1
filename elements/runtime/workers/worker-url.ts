/** Worker URLs for pages that require Trusted Types. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): URL };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | null | undefined;

/**
 * Returns a URL that starts a worker of this package on a page that requires Trusted Types.
 * The page must allow the policy `tiding#worker`. Otherwise the URL is returned unchanged and the
 * page refuses the worker.
 *
 * @param url URL of a file in this package; never pass a URL from another source
 */
export function workerUrl(url: URL): URL {
  if (policy === undefined) {
    try {
      policy =
        (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
          'tiding#worker',
          { createScriptURL: (text) => text },
        ) ?? null;
    } catch {
      policy = null;
    }
  }
  return policy?.createScriptURL(url.href) ?? url;
}
