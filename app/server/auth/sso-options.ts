/** Settings of single sign-on, from the command line or the environment, checked before the server starts. */

/** How people sign in: with a password; with either; by single sign-on alone. */
export type LoginMode = 'Password' | 'Sso' | 'SsoOnly';

/** An identity provider of OpenID Connect. */
export interface OidcOptions {
  /** Address of the provider; below it is `/.well-known/openid-configuration`. Plain http on loopback only. */
  issuer: string;
  /** Name of this server at the provider. */
  clientId: string;
  /** Undefined = a public client: the code is protected by PKCE alone. */
  clientSecret?: string | undefined;
  /** Domains of addresses that may sign in, in lower case; empty = whoever the provider lets in. */
  domains: string[];
  /** Claim whose values become roles at each sign-in; undefined = roles are managed here. */
  roleClaim?: string | undefined;
  /**
   * Value of the claim → roles. A value that is not in it is a role of the same name, unless that role opens a call of this
   * server: a group that happens to be called `admin` makes nobody an administrator.
   */
  roles: Record<string, string[]>;
  /** Scopes asked for, by a space. */
  scope: string;
}

const MODES: readonly LoginMode[] = ['Password', 'Sso', 'SsoOnly'];
const words = (text: string | undefined, by: RegExp) =>
  (text ?? '')
    .split(by)
    .map((word) => word.trim())
    .filter((word) => word !== '');
const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Whether a secret may be sent to this address: https, or a provider on this machine. */
export const isSafeAddress = (address: string) => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

/** `value=role` pairs. Throws a sentence for people. */
export function roleMapping(pairs: readonly string[]): Record<string, string[]> {
  // Without a prototype: a group may be called anything.
  const roles = Object.create(null) as Record<string, string[]>;
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const [value, role] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 0 || value === '' || role === '')
      throw new Error(`'${pair}' is no mapping of a role: it looks like group=role.`);
    (roles[value] ??= []).push(role);
  }
  return roles;
}

/** The provider that the environment names, with what is given before it; undefined without an issuer. Throws a sentence for people. */
export function oidcOptions(
  given: Partial<OidcOptions> | undefined,
  env: NodeJS.ProcessEnv,
): OidcOptions | undefined {
  const issuer = given?.issuer ?? (env['TIDING_OIDC_ISSUER'] || undefined);
  if (issuer === undefined) return undefined;
  if (!isSafeAddress(issuer))
    throw new Error(
      `The issuer ${issuer} is no https address. Plain http is taken for a provider on this machine only.`,
    );
  const clientId = given?.clientId ?? (env['TIDING_OIDC_CLIENT_ID'] || undefined);
  if (clientId === undefined)
    throw new Error('An issuer needs a client: set TIDING_OIDC_CLIENT_ID.');
  return {
    issuer,
    clientId,
    clientSecret: given?.clientSecret ?? (env['TIDING_OIDC_CLIENT_SECRET'] || undefined),
    domains: (given?.domains ?? words(env['TIDING_OIDC_DOMAINS'], /[\s,]+/)).map((domain) =>
      domain.toLowerCase(),
    ),
    roleClaim: given?.roleClaim ?? (env['TIDING_OIDC_ROLE_CLAIM'] || undefined),
    roles: given?.roles ?? roleMapping(words(env['TIDING_OIDC_ROLES'], /,/)),
    scope: given?.scope ?? env['TIDING_OIDC_SCOPE'] ?? 'openid email profile',
  };
}

/** The login mode; with a provider people may use both, unless it is said. Throws a sentence for people. */
export function loginMode(
  given: string | undefined,
  hasProvider: boolean,
  env: NodeJS.ProcessEnv,
): LoginMode {
  const wanted =
    given ?? (env['TIDING_LOGIN_MODE'] || undefined) ?? (hasProvider ? 'Sso' : 'Password');
  const mode = MODES.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (!mode) throw new Error(`'${wanted}' is no login mode: use ${MODES.join(', ')}.`);
  if (mode !== 'Password' && !hasProvider)
    throw new Error(
      `The login mode ${mode} needs an identity provider: set TIDING_OIDC_ISSUER or --oidc-issuer.`,
    );
  return mode;
}

/** Address under which people reach the server, without a slash at its end. Throws a sentence for people. */
export function publicAddress(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  ) {
    throw new Error(
      `'${given}' is no public address: it looks like https://notes.example.org, without a path.`,
    );
  }
  return url.origin;
}
