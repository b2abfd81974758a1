/** Single sign-on by OpenID Connect: authorization code with PKCE, state and nonce; people are made and changed by what the provider says. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as oidc from 'openid-client';
import { endpoints } from 'tiding/protocol';
import type { Logger } from '../log.ts';
import { isSafeAddress, type OidcOptions } from './sso-options.ts';
import type { User, Users } from './users.ts';

/** A sign-in that was begun, until the provider sends the browser back. */
interface Flow {
  /** Hash of the secret in the browser's cookie: who brings the answer must be who asked. */
  readonly browser: Buffer;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirect: string;
  readonly ref: string;
  readonly until: number;
}

/** What a browser needs to begin: where it goes, and the secret it keeps meanwhile. */
export interface Begun {
  readonly address: string;
  readonly state: string;
  readonly secret: string;
}

/** How long somebody may take at the provider, in s. */
export const FLOW_SECONDS = 600;
/** Most sign-ins under way: beyond them the oldest goes. */
const MAX_FLOWS = 10_000;
const MAX_HINTS = 10_000;
/** How long the provider's own description is good, in ms. */
const METADATA_MS = 3_600_000;
const TIMEOUT_S = 15;
const ADDRESSES = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
] as const;

/** Roles that open a call of this server: only a mapping gives them. */
const powerful = new Set(
  Object.values(endpoints)
    .flatMap(({ access }) => (typeof access === 'string' ? [] : access))
    .concat('global.SuperAdmin', 'admin'),
);
const hash = (text: string) => createHash('sha256').update(text).digest();
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const listOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Array.isArray(value)
      ? value.filter((each): each is string => typeof each === 'string')
      : [];

/** A map that forgets its oldest entry when it is full. */
function remember<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}

/** Signs people in at one provider. What goes wrong is thrown with its reason for the log; who signs in is told no more than that it failed. */
export class SingleSignOn {
  readonly #options: OidcOptions;
  readonly #users: Users;
  readonly #log: Logger;
  readonly #flows = new Map<string, Flow>();
  readonly #hints = new Map<string, string>();
  #metadata: { config: Promise<oidc.Configuration>; since: number } | undefined;

  constructor(options: OidcOptions, users: Users, log: Logger) {
    this.#options = options;
    this.#users = users;
    this.#log = log;
  }

  #configuration(): Promise<oidc.Configuration> {
    if (this.#metadata && Date.now() - this.#metadata.since < METADATA_MS)
      return this.#metadata.config;
    const config = this.#discover();
    this.#metadata = { config, since: Date.now() };
    // A provider that could not be reached is asked again by the next one.
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
        throw new Error(`the provider's ${name} is no https address`);
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
    // The signature of the token counts, not only the connection it came by.
    oidc.enableNonRepudiationChecks(config);
    for (const change of local) change(config);
    return config;
  }

  /** Whether somebody of this domain may try; blank says nothing. */
  admits(domain: string): boolean {
    return (
      domain === '' ||
      this.#options.domains.length === 0 ||
      this.#options.domains.includes(domain.toLowerCase())
    );
  }

  /** Begins a sign-in. `redirect`: address of our callback; `ref`: where the browser goes afterwards. Rejects where the provider cannot be reached. */
  async begin({
    redirect,
    ref,
    email,
  }: {
    redirect: string;
    ref: string;
    email?: string | undefined;
  }): Promise<Begun> {
    const config = await this.#configuration();
    const now = Date.now();
    for (const [state, { until }] of this.#flows) if (until <= now) this.#flows.delete(state);
    const state = oidc.randomState();
    const secret = randomBytes(32).toString('base64url');
    const flow: Flow = {
      browser: hash(secret),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      redirect,
      ref,
      until: now + FLOW_SECONDS * 1_000,
    };
    remember(this.#flows, state, flow, MAX_FLOWS);
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: this.#options.scope,
      response_type: 'code',
      state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(email ? { login_hint: email } : {}),
    });
    return { address: address.href, state, secret };
  }

  /**
   * Ends a sign-in with what the provider sent back in the query; `secret` is the browser's. Answers the user, made or
   * changed, where to go, and the token that a sign-out hands back. Rejects with the reason; each state works once.
   */
  async end(
    query: URLSearchParams,
    secret: string | undefined,
  ): Promise<{ user: User; ref: string; idToken: string | undefined }> {
    const state = query.get('state') ?? '';
    const flow = this.#flows.get(state);
    if (!flow) throw new Error('no such sign-in is under way');
    // Somebody else's answer must not end the sign-in of who began it.
    if (secret === undefined || !timingSafeEqual(hash(secret), flow.browser))
      throw new Error('another browser began this sign-in');
    this.#flows.delete(state);
    if (flow.until <= Date.now()) throw new Error('the sign-in took too long');
    const config = await this.#configuration();
    const current = new URL(flow.redirect);
    current.search = query.toString();
    const tokens = await oidc.authorizationCodeGrant(config, current, {
      pkceCodeVerifier: flow.verifier,
      expectedState: state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    });
    const token = tokens.claims()!;
    // Many providers tell more at the second address than in the token.
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
    const email = textOf(claims['email'])?.normalize('NFC').toLowerCase();
    const domain = email?.slice(email.lastIndexOf('@') + 1);
    if (email === undefined || !/^[^@\s]+@[^@\s]+$/.test(email))
      throw new Error('the provider names no e-mail address');
    if (!this.admits(domain!)) throw new Error(`nobody of ${domain} may sign in`);
    if (claims['email_verified'] === false) throw new Error('the e-mail address is not verified');
    await this.#users.refresh();
    const linked = this.#users.bySso(identity);
    const known = linked ?? this.#users.get(email);
    if (known && !linked) {
      if (known.sso) throw new Error(`the user ${email} belongs to somebody else at the provider`);
      // Who can claim an address unproven could take over whoever has it.
      if (claims['email_verified'] !== true)
        throw new Error(
          `the user ${email} exists, and the provider does not say that the address is verified`,
        );
    }
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
      'a user is as the identity provider says',
    );
    return this.#users.set(known?.name ?? email, { sso: identity, ...(roles ? { roles } : {}) });
  }

  #rolesOf(claims: Readonly<Record<string, unknown>>): string[] | undefined {
    const { roleClaim, roles } = this.#options;
    if (roleClaim === undefined) return undefined;
    return [
      ...new Set(
        listOf(claims[roleClaim]).flatMap(
          (value) => roles[value] ?? (powerful.has(value) ? [] : [value]),
        ),
      ),
    ].sort();
  }

  /** Keeps the token of a session for its sign-out; in memory: after a restart the provider asks once more. */
  keep(session: string, idToken: string | undefined): void {
    if (idToken !== undefined) remember(this.#hints, session, idToken, MAX_HINTS);
  }

  /**
   * Where a browser ends its session at the provider, to be followed by the address it comes back to, as plain text; undefined
   * where the provider has none, cannot be reached, or did not sign this user in.
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
