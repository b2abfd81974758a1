/**
 * Single sign-on settings from the command line or the environment, validated before the server
 * starts.
 */

/** How users sign in: with a password, with either, or by single sign-on only. */
export type LoginMode = 'Password' | 'Sso' | 'SsoOnly';

/** An OpenID Connect identity provider. */
export interface OidcOptions {
  /**
   * URL of the provider, which serves `/.well-known/openid-configuration`. Plain http is accepted
   * on loopback only.
   */
  issuer: string;
  /** Client id of this server at the provider. */
  clientId: string;
  /** `undefined`: a public client, whose code is protected by PKCE alone. */
  clientSecret?: string | undefined;
  /** E-mail domains that may sign in, in lower case; empty: everybody whom the provider admits. */
  domains: string[];
  /**
   * Claim whose values become roles at each sign-in; `undefined`: roles are managed on this server.
   */
  roleClaim?: string | undefined;
  /**
   * Maps claim values to roles. An unmapped value is a role of the same name, unless that role
   * grants access to calls of this server: a group that happens to be named `admin` makes nobody an
   * administrator.
   */
  roles: Record<string, string[]>;
  /** Requested scopes, separated by spaces. */
  scope: string;
  /**
   * Creates users although the provider doesn't say that it has verified their address. Only for
   * providers whose users can't choose their address.
   */
  trustsEmail: boolean;
}

const MODES: readonly LoginMode[] = ['Password', 'Sso', 'SsoOnly'];
const words = (text: string | undefined, by: RegExp) =>
  (text ?? '')
    .split(by)
    .map((word) => word.trim())
    .filter((word) => word !== '');
const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Returns whether a secret may be sent to this address: https, or a provider on this machine. */
export const isSafeAddress = (address: string) => {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

/** Parses `value=role` pairs. Throws an error with a user-readable message. */
export function roleMapping(pairs: readonly string[]): Record<string, string[]> {
  // Without a prototype, because a group may have any name.
  const roles = Object.create(null) as Record<string, string[]>;
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const [value, role] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 0 || value === '' || role === '')
      throw new Error(`'${pair}' is not a role mapping. Use the form group=role.`);
    (roles[value] ??= []).push(role);
  }
  return roles;
}

/**
 * Returns the provider from the given options and the environment; `undefined` without an issuer.
 * Throws an error with a user-readable message.
 */
export function oidcOptions(
  given: Partial<OidcOptions> | undefined,
  env: NodeJS.ProcessEnv,
): OidcOptions | undefined {
  const issuer = given?.issuer ?? (env['TIDING_OIDC_ISSUER'] || undefined);
  if (issuer === undefined) return undefined;
  if (!isSafeAddress(issuer))
    throw new Error(
      `The issuer ${issuer} is not an https URL. Plain http is only accepted for a provider ` +
        'on this machine.',
    );
  const clientId = given?.clientId ?? (env['TIDING_OIDC_CLIENT_ID'] || undefined);
  if (clientId === undefined)
    throw new Error('An identity provider needs a client id. Set TIDING_OIDC_CLIENT_ID.');
  return {
    issuer,
    clientId,
    clientSecret: given?.clientSecret ?? (env['TIDING_OIDC_CLIENT_SECRET'] || undefined),
    domains: (given?.domains ?? words(env['TIDING_OIDC_DOMAINS'], /[\s,]+/)).map((domain) =>
      domain.toLowerCase(),
    ),
    roleClaim: given?.roleClaim ?? (env['TIDING_OIDC_ROLE_CLAIM'] || undefined),
    roles: given?.roles ?? roleMapping(words(env['TIDING_OIDC_ROLES'], /,/)),
    trustsEmail: given?.trustsEmail ?? env['TIDING_OIDC_TRUSTS_EMAIL'] === 'true',
    scope: given?.scope ?? env['TIDING_OIDC_SCOPE'] ?? 'openid email profile',
  };
}

/**
 * Returns the login mode; by default, users may use both if there is a provider. Throws an error
 * with a user-readable message.
 */
export function loginMode(
  given: string | undefined,
  hasProvider: boolean,
  env: NodeJS.ProcessEnv,
): LoginMode {
  const wanted =
    given ?? (env['TIDING_LOGIN_MODE'] || undefined) ?? (hasProvider ? 'Sso' : 'Password');
  const mode = MODES.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (!mode) throw new Error(`'${wanted}' is not a login mode. Use one of ${MODES.join(', ')}.`);
  if (mode !== 'Password' && !hasProvider)
    throw new Error(
      `The login mode ${mode} needs an identity provider. Set TIDING_OIDC_ISSUER or --oidc-issuer.`,
    );
  return mode;
}

/**
 * Returns the URL under which users reach the server, without a trailing slash. It may have a path
 * below which a proxy serves it. Throws an error with a user-readable message.
 */
export function publicAddress(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const url = URL.canParse(given) ? new URL(given).href : '';
  if (!/^https?:\/\/[^/@]+(?:\/[\w~-][\w.~-]*)*\/?$/.test(url))
    throw new Error(
      `'${given}' is not a valid public URL. Use the form https://notes.example.org or ` +
        'https://example.org/notes.',
    );
  return url.replace(/\/$/, '');
}

/** Path of the public URL, for example `/notes`; '' if the server is at the root of its host. */
export const basePath = ({ publicUrl }: { publicUrl: string | undefined }): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
