/** Selects the server's environment variables that child processes receive. */

const allowed = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'MPLCONFIGDIR',
  'JAVA_HOME',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'CUDA_VISIBLE_DEVICES',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'NODE_EXTRA_CA_CERTS',
]);
const proxies = new Set(['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']);

const inherited = (isWanted: (name: string, value: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env as Record<string, string>).filter(([name, value]) =>
      isWanted(name, value),
    ),
  );

/**
 * Returns the environment for users' code. It is an allow list, so that keys and passwords of the
 * server are not passed on. Proxy addresses are included only if they contain no user name or
 * password.
 * @param extra additional variables, which take precedence.
 */
export function childEnvironment(
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = inherited((name, value) => {
    const proxy = proxies.has(name.toLowerCase()) && !value.includes('@');
    return allowed.has(name) || name.startsWith('LC_') || proxy;
  });
  return { ...own, ...extra };
}

/**
 * Like {@link childEnvironment}, plus the variables that package installers need to reach a mirror:
 * `PIP_*`, `UV_*` and all proxy addresses.
 */
export function installerEnvironment(
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const more = inherited((name) => /^(PIP|UV)_/.test(name) || proxies.has(name.toLowerCase()));
  return childEnvironment({ ...more, ...extra });
}
