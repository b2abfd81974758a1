/** The reference app: ticket first, then the page. Uses the elements by tag, like any host. */
import { createClient, indexedDbJournal, type Client, type Scheduler } from 'tiding/client';
import { hasAnyRole, pageTitle } from 'tiding/model';
import { texts } from 'tiding/elements/define';
import { frameToken, reportHeight } from './framed.ts';
import { matchRoute, readHash, safeRef } from './router.ts';
import { createShell } from './shell.ts';

const frames: Scheduler = (flush) => {
  if (document.visibilityState === 'visible') requestAnimationFrame(flush);
  else setTimeout(flush, 50);
};

/** Who has signed out reads that for so long, then he is home, ms (specification). */
const HOME_AFTER_LOGOUT_MS = 1_000;

async function start(): Promise<void> {
  const first = readHash(location.hash);
  const framed = first.query.has('asIframe');
  const byToken = framed && first.query.has('token') && window.parent !== window;
  const client = createClient({
    server: location.origin + location.pathname.replace(/\/+$/, ''),
    scheduler: frames,
    journal: indexedDbJournal(),
    auth: byToken ? { token: frameToken() } : 'cookie',
  });
  const workbench = document.createElement('tiding-workbench') as HTMLElement & { client: Client };
  workbench.client = client;
  const shell = createShell(document.getElementById('app')!, client, workbench);
  if (framed) reportHeight(workbench);

  client.on('redirect', ({ address, appendCurrent }) => {
    if (appendCurrent) location.assign(address + location.href);
    // A one-time link is another way in; a page that is for everybody stays.
    else if (!isOpenPage() && !readHash(location.hash).query.has('login'))
      location.assign(withRef(address));
  });
  client.on('logout-elsewhere', ({ address }) => {
    void fetch(address, { mode: 'no-cors', credentials: 'include' })
      .catch(() => {})
      .then(() => location.assign('#/'));
  });
  // The ticket is fetched first and the app starts only after it returned.
  await client.session.ticket().catch(() => {});
  const askConfig = () => void client.administration.magpieConfig().catch(() => {});
  client.on('signed-in', askConfig);
  askConfig();
  let shown = location.hash;
  let leaving: Promise<void> | undefined;
  /** Shows the page of the address, unless the page before has text that is not saved and its reader stays. */
  const route = () => {
    // A session that has ended asks nobody: what is typed is kept in this browser until the next one.
    const asked =
      client.state.session.phase === 'signed-in' ? mayLeave(workbench) : Promise.resolve(true);
    leaving ??= asked.then((may) => {
      leaving = undefined;
      // The address says again where the reader is; nothing was loaded.
      if (!may) return void history.replaceState(null, '', shown || '#/');
      show(client, shell);
      shown = location.hash;
    });
  };
  window.addEventListener('hashchange', route);
  window.addEventListener('online', () => client.wake());
  workbench.addEventListener('tiding-note-path', (event) => {
    document.title = pageTitle(
      (event as CustomEvent<{ path: string }>).detail.path,
      texts.app.product,
    );
  });
  // A revision that the note does not have: the message stays as long as a toast, then home (specification's client).
  workbench.addEventListener('tiding-note-missing', (event) => {
    const { revisionId, code } = (event as CustomEvent<{ revisionId?: string; code: string }>)
      .detail;
    if (revisionId === undefined || code !== 'server') return;
    const { hash } = location;
    setTimeout(() => location.hash === hash && location.assign('#/'), 3_000);
  });
  workbench.addEventListener('tiding-note-left', () => location.assign('#/'));
  workbench.addEventListener('tiding-home-wanted', () => location.assign('#/'));
  workbench.addEventListener('tiding-sign-in-wanted', () => {
    // As somebody else: what this one has typed and cannot save keeps him here, unless he leaves it.
    void mayLeave(workbench)
      .then((may) => (may ? client.session.logout({ discard: true }) : undefined))
      .catch(() => {});
  });
  workbench.addEventListener('tiding-signed-in', () => {
    const { query } = readHash(location.hash);
    const target = `#${safeRef(query.get('ref')) ?? '/'}`;
    // The page wanted before the sign-in follows after 100 ms (specification's client).
    // Who has gone on by himself meanwhile stays where he is.
    const { hash } = location;
    setTimeout(() => {
      if (location.hash !== hash) return;
      if (hash === target) route();
      else location.assign(target);
    }, 100);
  });
  workbench.addEventListener('tiding-password-set', (event) => {
    if (client.state.session.phase === 'signed-in') return;
    notice = (event as CustomEvent<{ message: string }>).detail.message;
    location.assign('#/');
  });
  client.on('session_logout', () => {
    // A new password ends the sessions of the old one: the page that set it says so. A page in a frame is given another token.
    if (isOpenPage() || byToken) return;
    if (shell.signingOut) {
      shell.say(texts.app.loggedOut);
      const { hash } = location;
      setTimeout(() => {
        if (location.hash !== hash) return;
        location.assign('#/');
        route();
      }, HOME_AFTER_LOGOUT_MS);
      return;
    }
    const { path, full } = readHash(location.hash);
    location.assign(path === '/' ? '#/' : `#/?ref=${encodeURIComponent(full)}`);
    route();
  });
  route();
}

/** Asks the page that is shown whether it may be left. */
async function mayLeave(workbench: HTMLElement): Promise<boolean> {
  const page = workbench.lastElementChild as
    | (Element & { mayLeave?: () => Promise<boolean> })
    | null;
  return page?.mayLeave?.() ?? true;
}

/** What the next sign-in says above its fields. */
let notice: string | undefined;

/** Whether the page is for everybody; home is where one signs in. */
function isOpenPage(): boolean {
  const { path } = readHash(location.hash);
  return path !== '/' && matchRoute(path)?.route.access === 'public';
}

/** A single sign-on of this server comes back to the page that was wanted. */
function withRef(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || url.searchParams.has('ref')) return address;
  const { path, full, query } = readHash(location.hash);
  url.searchParams.set('ref', safeRef(path === '/' ? query.get('ref') : full) ?? '/');
  return url.href;
}

/** The route guard, then the page. */
function show(client: Client, shell: ReturnType<typeof createShell>): void {
  const { path, full, query } = readHash(location.hash);
  const match = matchRoute(path);
  document.title = texts.app.product;
  const signedIn = client.state.session.phase === 'signed-in';
  if (!match) return void location.replace('#/');
  const { access } = match.route;
  if (!signedIn && access !== 'public')
    return void location.replace(`#/?ref=${encodeURIComponent(full)}`);
  if (typeof access !== 'string' && !hasAnyRole(client.session.roles, access))
    return void location.replace('#/');
  shell.update(path, query.has('asIframe'));
  const once = query.get('login');
  if ((!signedIn && match.route.path === '/') || once !== null) {
    const login = document.createElement('tiding-login');
    if (once !== null) {
      // The token works once: it leaves the address and the history.
      history.replaceState(null, '', '#/');
      if (signedIn) return show(client, shell);
      login.setAttribute('once', once);
    }
    const ref = safeRef(query.get('ref'));
    if (ref !== undefined) login.setAttribute('return-to', ref);
    if (notice !== undefined) login.setAttribute('notice', notice);
    notice = undefined;
    return shell.show(login);
  }
  const { tag, attributes } = match.route.show(match.params, query);
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  shell.show(element);
  // Who arrives at a new page starts at its top, where a screen reader starts too.
  window.scrollTo(0, 0);
}

void start();
