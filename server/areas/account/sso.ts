/** Single sign-on: redirects to the identity provider and back. */
import { parse, serialize } from 'hono/utils/cookie';
import { FLOW_SECONDS } from '../../auth/single-sign-on.ts';
import { Refusal } from '../../base/errors.ts';
import { basePath } from '../../base/sso-options.ts';
import type { GatewayContext, RestHandlers, RestRequest } from '../context.ts';
import { SSO_PATH, signIn } from './session.ts';

/**
 * Returns whether a path belongs to the app: one leading slash, and nothing that leads to another
 * host.
 */
const isAppPath = (path: string) => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);

const MAX_REF = 1_000;

/** Name of the cookie of one sign-in in progress; each tab may have its own. */
const cookieName = (state: string) => `tiding-sso-${state.replace(/[^\w-]/g, '').slice(0, 16)}`;

const redirectTo = (address: string, cookie?: string) =>
  new Response(null, {
    status: 302,
    headers: { Location: address, ...(cookie ? { 'Set-Cookie': cookie } : {}) },
  });

/**
 * Redirects to a page of the app. Without a public URL the redirect is relative, so that the
 * browser stays on its host.
 */
const toPage = ({ options }: GatewayContext, path: string, cookie?: string) => {
  // Keep only characters that are allowed in a header; encode the rest.
  const { hash } = new URL(`#${path}`, 'http://page');
  return redirectTo(`${options.publicUrl ?? ''}/${hash}`, cookie);
};

const stateCookie = ({ options }: GatewayContext, state: string, sealed: string, seconds: number) =>
  serialize(cookieName(state), sealed, {
    path: `${basePath(options)}${SSO_PATH}`,
    httpOnly: true,
    sameSite: 'Lax',
    secure: options.publicUrl?.startsWith('https:') === true,
    maxAge: seconds,
  });

/** Records a failed sign-in and redirects to the page that explains it. */
const redirectToError = (
  context: GatewayContext,
  request: Pick<RestRequest<'ssoLogin'>, 'address'>,
  error: unknown,
  cookie?: string,
) => {
  const { message, error: code, cause } = error as Error & { error?: string };
  context.log.warn(
    {
      event: 'sign-in-failed',
      sso: true,
      address: request.address,
      reason: message,
      ...(code ? { code } : {}),
      ...(cause instanceof Error ? { cause: cause.message } : {}),
    },
    'single sign-on failed',
  );
  context.audit.record('sign-in-failed', {
    principal: 'unknown',
    address: request.address,
    command: 'sso',
    outcome: 'refused',
  });
  return toPage(context, '/sso/error', cookie);
};

/** Returns the identity provider; undefined if users sign in with a password only. */
const providerOf = ({ sso, options }: GatewayContext) =>
  options.loginMode === 'Password' ? undefined : sso;

/** REST handlers for single sign-on. */
export const ssoRest = {
  // Calls without a session are redirected here; Zeppelin's clients take 405 to mean 'signed out'.
  loginAddress: (_, context) => {
    if (!providerOf(context))
      throw new Refusal(405, 'Single sign-on is not configured: sign in with a password.');
    return { redirectURL: `${context.options.publicUrl ?? context.url()}${SSO_PATH}` };
  },
  ssoLogin: async (request, context) => {
    const { query } = request;
    const ref = query.get('ref') ?? '/';
    if (!isAppPath(ref)) throw new Refusal(400, 'ref must start with exactly one slash.');
    // A browser drops cookies above 4 KB, and this one contains `ref`.
    if (ref.length > MAX_REF) throw new Refusal(400, `ref may have at most ${MAX_REF} characters.`);
    const { options } = context;
    const sso = providerOf(context);
    if (!sso)
      return redirectToError(context, request, new Error('no identity provider is configured'));
    const domain = query.get('domain') ?? '';
    if (!sso.admits(domain))
      return redirectToError(context, request, new Error('users of this domain may not sign in'));
    const base = options.publicUrl ?? context.url();
    // The provider redirects to one fixed URL, and the cookie must be set on that host. Redirect
    // there only once, because a proxy may rename the host.
    if (
      options.publicUrl === undefined &&
      request.header('Host') !== new URL(base).host &&
      !query.has('moved')
    ) {
      query.set('moved', '1');
      return redirectTo(`${base}${SSO_PATH}?${query.toString()}`);
    }
    try {
      const { address, state, sealed } = await sso.begin({
        redirect: `${base}${SSO_PATH}/callback`,
        ref,
        email: query.get('email') || undefined,
      });
      return redirectTo(address, stateCookie(context, state, sealed, FLOW_SECONDS));
    } catch (error) {
      return redirectToError(context, request, error);
    }
  },
  ssoCallback: async (request, context) => {
    const { query } = request;
    const sso = providerOf(context);
    if (!sso)
      return redirectToError(context, request, new Error('no identity provider is configured'));
    const state = query.get('state') ?? '';
    const expiredCookie = stateCookie(context, state, '', 0);
    try {
      const { user, ref, idToken } = await sso.end(
        query,
        parse(request.header('Cookie') ?? '')[cookieName(state)],
      );
      const { ticket } = await signIn(user.name, request, context);
      context.audit.record('sign-in', {
        principal: user.name,
        address: request.address,
        command: 'sso',
        outcome: 'ok',
      });
      sso.keep(context.sessions.byTicket(ticket)!.key, idToken);
      return toPage(context, ref, expiredCookie);
    } catch (error) {
      return redirectToError(context, request, error, expiredCookie);
    }
  },
} satisfies Partial<RestHandlers<GatewayContext>>;
