/** An identity provider for tests, and a minimal HTTP browser that follows its redirects. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { type Answer, request } from './raw.ts';

/** A user at the provider, with the claims it sends. */
export interface Account {
  email?: string;
  email_verified?: boolean;
  groups?: string[];
}

export interface TestProvider {
  readonly issuer: string;
  /** Users by subject; may change at any time. */
  readonly accounts: Map<string, Account>;
  /** The user who signs in next. */
  subject: string;
  /** Whether that user denies consent. */
  denies: boolean;
  /** Query parameters of requests for the consent or sign-in page. */
  readonly asked: URLSearchParams[];
  /** Whether the discovery document is available. */
  reachable: boolean;
  stop(): Promise<void>;
}

/** The client registered at the provider. */
export const CLIENT = { id: 'tiding', secret: 'a secret of the client: for tests+only' };

/** Starts a provider that redirects browsers back to `server()`. */
export async function startProvider(server: () => string): Promise<TestProvider> {
  const listener: { handle: (request: IncomingMessage, response: ServerResponse) => void } = {
    handle: () => {},
  };
  const http = createServer((incoming, response) => listener.handle(incoming, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as { port: number }).port}`;
  const state: Omit<TestProvider, 'stop'> & { subject: string; denies: boolean } = {
    issuer,
    accounts: new Map(),
    subject: 'ann',
    denies: false,
    asked: [],
    reachable: true,
  };
  let callback: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  let provider: Provider | undefined;
  const make = () => {
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${server()}/api/login/sso/callback`],
          post_logout_redirect_uris: [`${server()}/`],
        },
      ],
      claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      cookies: { keys: ['keys for tests'] },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 600,
        IdToken: 600,
        Interaction: 600,
        Grant: 600,
        Session: 600,
      },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) =>
            void (context.body =
              `<!doctype html><title>Sign out</title>${form}` +
              '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>'),
        },
      },
      interactions: { url: (_, { uid }) => `/interact/${uid}` },
      findAccount: (_, accountId) =>
        state.accounts.has(accountId)
          ? { accountId, claims: () => ({ sub: accountId, ...state.accounts.get(accountId) }) }
          : undefined,
    });
    callback = provider.callback() as typeof callback;
  };
  const interact = async (incoming: IncomingMessage, response: ServerResponse) => {
    const details = await provider!.interactionDetails(incoming, response);
    state.asked.push(new URLSearchParams(details.params as Record<string, string>));
    if (state.denies)
      return provider!.interactionFinished(incoming, response, {
        error: 'access_denied',
        error_description: 'no',
      });
    if (details.prompt.name === 'login')
      return provider!.interactionFinished(incoming, response, {
        login: { accountId: state.subject },
      });
    const grant = new provider!.Grant({
      accountId: details.session!.accountId,
      clientId: CLIENT.id,
    });
    grant.addOIDCScope('openid email profile groups');
    return provider!.interactionFinished(
      incoming,
      response,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    );
  };
  listener.handle = (incoming, response) => {
    if (!state.reachable) return void response.writeHead(503).end();
    if (incoming.url === '/favicon.ico') return void response.writeHead(204).end();
    // Created on the first request: before that, the server it redirects to has no address.
    if (!callback) make();
    if (incoming.url?.startsWith('/interact/'))
      void interact(incoming, response).catch((error: Error) =>
        response.writeHead(500).end(error.stack),
      );
    else void callback!(incoming, response);
  };
  return Object.assign(state, {
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  });
}

/** A browser without a page: it follows redirects and keeps cookies by host, port and path. */
export class Walker {
  readonly #jar = new Map<string, { value: string; path: string }>();
  /** Visited addresses, in order. */
  readonly visited: string[] = [];

  /** The Cookie header for an address. */
  cookies(address: string): string {
    const { host, pathname } = new URL(address);
    return [...this.#jar]
      .filter(([key, { path }]) => key.startsWith(`${host} `) && pathname.startsWith(path))
      .map(([key, { value }]) => `${key.split(' ').at(-1)}=${value}`)
      .join('; ');
  }

  /** Deletes all cookies. */
  forget(): void {
    this.#jar.clear();
  }

  /** Sends one request with its cookies. */
  async get(address: string): Promise<Answer> {
    this.visited.push(address);
    const { origin, host, pathname, search } = new URL(address);
    const answer = await request(origin, 'GET', pathname + search, {
      headers: { Cookie: this.cookies(address), Host: host },
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? '/';
      const key = `${host} ${path} ${name}`;
      if (value === '' || /max-age=0/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line))
        this.#jar.delete(key);
      else this.#jar.set(key, { value, path });
    }
    return answer;
  }

  /**
   * Follows redirects until a page is returned or `until` returns true. Returns the last address.
   */
  async walk(address: string, until: (address: string) => boolean = () => false): Promise<string> {
    let current = address;
    for (let n = 0; n < 20 && !until(current); n += 1) {
      const answer = await this.get(current);
      if (answer.status < 300 || answer.status > 399) return current;
      current = new URL(answer.headers.location!, current).href;
    }
    return current;
  }
}
