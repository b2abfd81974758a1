/**
 * Single sign-on with OpenID Connect: authorization code with PKCE, state and nonce. Users are
 * created and updated from the provider's claims.
 */
import { randomBytes } from 'node:crypto';
import { endpoints } from '@tiding/client/protocol';
import * as oidc from 'openid-client';
import { isSafeAddress, type OidcOptions } from '../base/sso-options.ts';
import type { Logger } from '../logging/log.ts';
import { Secrets } from './secrets.ts';
import type { User, Users } from './users.ts';

/**
 * A sign-in in progress, until the provider redirects the browser back. The browser keeps it,
 * encrypted, in a cookie: it must be the one that returns, and strangers who start sign-ins can't
 * displace those of others.
 */
interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirect: string;
  readonly ref: string;
  readonly until: number;
}

/** A started sign-in: the URL for the browser to visit, and what it keeps in a cookie. */
interface Begun {
  readonly address: string;
  readonly state: string;
  readonly sealed: string;
}

/** Time limit for signing in at the provider, in s. */
export const FLOW_SECONDS = 600;
const MAX_HINTS = 10_000;
/** How long the provider's metadata is cached, in ms. */
const METADATA_MS = 3_600_000;
const TIMEOUT_S = 15;
const ADDRESSES = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
] as const;

/** Roles that grant access to calls of this server. */
const powerful = new Set(
  Object.values(endpoints)
    .flatMap(({ access }) => (typeof access === 'string' ? [] : access))
    .concat('global.SuperAdmin', 'admin'),
);
/**
 * Whether a group becomes a role only by an explicit mapping: a powerful one, or one with the form
 * of an address, because people get these names when they first sign in.
 */
const isReserved = (group: string): boolean => powerful.has(group) || group.includes('@');
/** Alphabets with letters that look alike. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
);
const mixesAlphabets = (name: string): boolean =>
  name
    .split(/[._@+-]/)
    .some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1);
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const listOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string')
      : [];

/**
 * Signs users in at one provider. Errors are thrown with a reason for the log; the user only learns
 * that signing in failed.
 */
export class SingleSignOn {
  readonly #options: OidcOptions;
  readonly #users: Users;
  readonly #log: Logger;
  readonly #flows = new Secrets([randomBytes(32)]);
  readonly #hints = new Map<string, string>();
  #metadata: { config: Promise<oidc.Configuration>; since: number } | undefined;

  constructor(options: OidcOptions, users: Users, log: Logger) {
    this.#options = options;
    this.#users = users;
    this.#log = log;
  }

  #configuration(): Promise<oidc.Configuration> {
    if (this.#metadata && performance.now() - this.#metadata.since < METADATA_MS)
      return this.#metadata.config;
    const config = this.#discover();
    this.#metadata = { config, since: performance.now() };
    // Don't cache the failure: the next sign-in tries again.
    config.catch(() => {
      if (this.#metadata?.config === config) this.#metadata = undefined;
    });
    return config;
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    const local = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const found = (
      await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
        execute: local,
        timeout: TIMEOUT_S,
      })
    ).serverMetadata();
    for (const name of ADDRESSES) {
      const address = found[name];
      if (address !== undefined && !isSafeAddress(address))
        throw new Error(`the provider's ${name} is not an https URL`);
    }
    const methods = found.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authentication =
      clientSecret === undefined
        ? oidc.None()
        : methods.includes('client_secret_basic')
          ? oidc.ClientSecretBasic(clientSecret)
          : oidc.ClientSecretPost(clientSecret);
    const config = new oidc.Configuration(found, clientId, undefined, authentication);
    config.timeout = TIMEOUT_S;
    // Verify the token's signature, not only the TLS connection it came over.
    oidc.enableNonRepudiationChecks(config);
    for (const change of local) change(config);
    return config;
  }

  /** Returns whether users of this domain may try to sign in; blank allows the attempt. */
  admits(domain: string): boolean {
    return (
      domain === '' ||
      this.#options.domains.length === 0 ||
      this.#options.domains.includes(domain.toLowerCase())
    );
  }

  /**
   * Starts a sign-in. `redirect` is the callback URL, `ref` the page to open afterwards. Rejects if
   * the provider can't be reached.
   */
  async begin({
    redirect,
    ref,
    email,
  }: Pick<Flow, 'redirect' | 'ref'> & { email?: string | undefined }): Promise<Begun> {
    const config = await this.#configuration();
    const flow: Flow = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirect,
      ref,
      until: performance.now() + FLOW_SECONDS * 1_000,
    };
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: this.#options.scope,
      response_type: 'code',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(email ? { login_hint: email } : {}),
    });
    const sealed = this.#flows.encrypt(JSON.stringify(flow));
    return { address: address.href, state: flow.state, sealed };
  }

  /**
   * Completes a sign-in with the query that the provider sent back; `sealed` is from the browser's
   * cookie. Returns the created or updated user, the page to open, and the token needed for signing
   * out. Rejects with the reason. The provider accepts each code once.
   */
  async end(
    query: URLSearchParams,
    sealed: string | undefined,
  ): Promise<{ user: User; ref: string; idToken: string | undefined }> {
    if (sealed === undefined)
      throw new Error('this sign-in is unknown, or was started in another browser');
    const flow = JSON.parse(this.#flows.decrypt(sealed)) as Flow;
    if (flow.state !== query.get('state')) throw new Error('the answer belongs to another sign-in');
    if (flow.until <= performance.now()) throw new Error('the sign-in took too long');
    const config = await this.#configuration();
    const current = new URL(flow.redirect);
    current.search = query.toString();
    const tokens = await oidc.authorizationCodeGrant(config, current, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    });
    const token = tokens.claims()!;
    // Many providers return more claims from the userinfo endpoint than in the token.
    const more = config.serverMetadata().userinfo_endpoint
      ? await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
      : {};
    return {
      user: await this.#userOf({ ...more, ...token }),
      ref: flow.ref,
      idToken: tokens.id_token,
    };
  }

  async #userOf(claims: Readonly<Record<string, unknown>>): Promise<User> {
    const identity = { issuer: String(claims['iss']), subject: String(claims['sub']) };
    const given = textOf(claims['email']);
    const email = given?.normalize('NFC').toLowerCase();
    const domain = email?.slice(email.lastIndexOf('@') + 1);
    if (email === undefined || !/^[^@\s]+@[^@\s]+$/.test(email))
      throw new Error('the provider sent no e-mail address');
    if (given !== given?.normalize('NFKC'))
      throw new Error(`${email} has characters that only look like those of another address`);
    if (!this.admits(domain!)) throw new Error(`users of ${domain} may not sign in`);
    if (claims['email_verified'] === false) throw new Error('the e-mail address is not verified');
    await this.#users.refresh();
    const linked = this.#users.bySso(identity);
    if (!linked && mixesAlphabets(email))
      throw new Error(`${email} has words with letters of several alphabets`);
    const known = linked ?? this.#users.get(email);
    if (known && !linked) {
      if (known.sso)
        throw new Error(`the user ${email} is linked to another account at the provider`);
      // Somebody who can claim an unverified address could take over its owner's account.
      if (claims['email_verified'] !== true)
        throw new Error(
          `the user ${email} already exists, and the provider did not confirm that the ` +
            'address is verified',
        );
    }
    // Notes may already name this address, and the allowed domains are checked by it.
    if (!known && claims['email_verified'] !== true && !this.#options.trustsEmail)
      throw new Error(
        `the provider did not confirm that ${email} is verified. If its users can't choose their ` +
          'address, set TIDING_OIDC_TRUSTS_EMAIL=true',
      );
    const roles = this.#rolesOf(claims);
    const same =
      linked &&
      (roles === undefined ||
        (roles.length === linked.roles.length &&
          roles.every((role) => linked.roles.includes(role))));
    if (same) return linked;
    this.#log.info(
      {
        event: known ? 'sso-user-changed' : 'sso-user-made',
        principal: known?.name ?? email,
        roles,
      },
      'user created or updated from the identity provider',
    );
    return this.#users.set(known?.name ?? email, { sso: identity, ...(roles ? { roles } : {}) });
  }

  #rolesOf(claims: Readonly<Record<string, unknown>>): string[] | undefined {
    const { roleClaim, roles } = this.#options;
    if (roleClaim === undefined) return undefined;
    const granted = listOf(claims[roleClaim]).flatMap(
      (value) => roles[value] ?? (isReserved(value) ? [] : [value]),
    );
    return [...new Set(granted)].filter((role) => !this.#users.isUserName(role)).sort();
  }

  /**
   * Keeps the id token of a session for signing out, in memory only: after a restart the provider
   * asks the user to confirm.
   */
  keep(session: string, idToken: string | undefined): void {
    if (idToken === undefined) return;
    this.#hints.set(session, idToken);
    if (this.#hints.size > MAX_HINTS) this.#hints.delete(this.#hints.keys().next().value!);
  }

  /**
   * Returns the URL that ends the browser's session at the provider. The browser appends the return
   * address to it as plain text. `undefined` if the provider has none, can't be reached, or did not
   * sign this user in.
   */
  async signOut(session: string, user: User | undefined): Promise<string | undefined> {
    const hint = this.#hints.get(session);
    this.#hints.delete(session);
    if (hint === undefined && user?.sso === undefined) return undefined;
    const address = (await this.#configuration().catch(() => undefined))?.serverMetadata()
      .end_session_endpoint;
    if (address === undefined) return undefined;
    const url = new URL(address);
    url.searchParams.set('client_id', this.#options.clientId);
    if (hint !== undefined) url.searchParams.set('id_token_hint', hint);
    return `${url.href}&post_logout_redirect_uri=`;
  }
}
