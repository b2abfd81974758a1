/** Single sign-on: to the identity provider and back. */
import { parse, serialize } from 'hono/utils/cookie';
import type { RestHandlers, RestRequest, ServerContext } from '../context.ts';
import { FLOW_SECONDS } from '../auth/single-sign-on.ts';
import { Refusal } from '../errors.ts';
import { signIn, SSO_PATH } from './session.ts';

/** A place of the app: one leading slash, nothing that leads to another host. */
const isOwnPlace = (path: string) => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);

/** The cookie of one sign-in under way: several may be, each in its own tab. */
const cookieName = (state: string) => `tiding-sso-${state.replace(/[^\w-]/g, '').slice(0, 16)}`;

/** To a page of the app. Without a public address no host is named: the browser stays where it is. */
const toPage = ({ options }: ServerContext, place: string, cookie?: string) => {
  // Only what may stand in a header is left as it is.
  const { hash } = new URL(`#${place}`, 'http://page');
  return new Response(null, {
    status: 302,
    headers: {
      Location: `${options.publicUrl ?? ''}/${hash}`,
      ...(cookie ? { 'Set-Cookie': cookie } : {}),
    },
  });
};

const stateCookie = ({ options }: ServerContext, state: string, secret: string, seconds: number) =>
  serialize(cookieName(state), secret, {
    path: SSO_PATH,
    httpOnly: true,
    sameSite: 'Lax',
    secure: options.publicUrl?.startsWith('https:') === true,
    maxAge: seconds,
  });

const failed = (
  context: ServerContext,
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

/** REST calls. */
export const ssoRest = {
  // Not 405, as upstream answers: to clients of this family that means that the session is over.
  loginAddress: (_, context) => {
    if (!context.sso || context.options.loginMode === 'Password')
      throw new Refusal(404, 'Single sign-on is not configured: sign in with a password.');
    return { redirectURL: `${context.options.publicUrl ?? context.url()}${SSO_PATH}` };
  },
  ssoLogin: async (request, context) => {
    const { query } = request;
    const ref = query.get('ref') ?? '/';
    if (!isOwnPlace(ref)) throw new Refusal(400, 'ref starts with one slash');
    const { sso, options } = context;
    if (!sso || options.loginMode === 'Password')
      return failed(context, request, new Error('there is no identity provider'));
    const domain = query.get('domain') ?? '';
    if (!sso.admits(domain))
      return failed(context, request, new Error('nobody of this domain may sign in'));
    const base = options.publicUrl ?? context.url();
    // The provider sends the browser to one address alone, and the cookie must be there already. Once: a proxy may rename the host.
    if (
      options.publicUrl === undefined &&
      request.header('Host') !== new URL(base).host &&
      !query.has('moved')
    ) {
      query.set('moved', '1');
      return new Response(null, {
        status: 302,
        headers: { Location: `${base}${SSO_PATH}?${query.toString()}` },
      });
    }
    try {
      const { address, state, secret } = await sso.begin({
        redirect: `${base}${SSO_PATH}/callback`,
        ref,
        email: query.get('email') || undefined,
      });
      return new Response(null, {
        status: 302,
        headers: {
          Location: address,
          'Set-Cookie': stateCookie(context, state, secret, FLOW_SECONDS),
        },
      });
    } catch (error) {
      return failed(context, request, error);
    }
  },
  ssoCallback: async (request, context) => {
    const { query } = request;
    const { sso, options } = context;
    if (!sso || options.loginMode === 'Password')
      return failed(context, request, new Error('there is no identity provider'));
    const state = query.get('state') ?? '';
    const over = stateCookie(context, state, '', 0);
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
      return toPage(context, ref, over);
    } catch (error) {
      return failed(context, request, error, over);
    }
  },
} satisfies Partial<RestHandlers>;
