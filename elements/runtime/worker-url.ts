/** The address of a worker as a page with trusted types takes it. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): { createScriptURL(text: string): URL };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | null | undefined;

/**
 * Lets a page that requires trusted types start a worker of the package. Its policy must be allowed there: `tiding#worker`;
 * where it is not, the address stays as it is and the page refuses the worker.
 *
 * @param url of a file of the package, never of anything that came from elsewhere
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
