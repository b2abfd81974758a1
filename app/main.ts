/**
 * The reference app: fetches the ticket, then shows the page. Uses the elements by tag, like any
 * host.
 */
import type { Client, InitialAnswers } from '@tiding/client';
import { pageTitle } from '@tiding/client/model';
import { pageClient, preload, texts } from '@tiding/elements/define';
import { frameToken, reportHeight } from './framed.ts';
import { type Location, matchRoute, readHash, safeRef } from './router.ts';
import { mayOpen } from './routes.ts';
import { createShell } from './shell.ts';

/** How long the message about a missing revision is shown before the redirect to home, in ms. */
const HOME_AFTER_MISSING_MS = 3_000;
/** Delay between the sign-out message and the redirect to home, in ms (specification). */
const HOME_AFTER_LOGOUT_MS = 1_000;

async function start(): Promise<void> {
  const first = readHash(location.hash);
  const framed = first.query.has('asIframe');
  // The code of the page and the ticket are fetched at the same time.
  for (const tag of tagsOf(first)) void preload(tag).catch(() => {});
  const byToken = framed && first.query.has('token') && window.parent !== window;
  const client = pageClient(
    location.origin + location.pathname,
    byToken ? frameToken() : undefined,
    byToken ? undefined : initialAnswers(first),
  );
  const workbench = document.createElement('tiding-workbench') as HTMLElement & { client: Client };
  workbench.client = client;
  const shell = createShell(document.getElementById('app')!, client, workbench, framed);
  if (framed) reportHeight(workbench);

  client.on('redirect', ({ address, appendCurrent }) => {
    if (appendCurrent) location.assign(address + location.href);
    // A one-time link signs in without a form; public pages stay.
    else if (!isPublicPage() && !readHash(location.hash).query.has('login'))
      location.assign(withRef(address));
  });
  client.on('logout-elsewhere', ({ address }) => {
    void fetch(address, { mode: 'no-cors', credentials: 'include' })
      .catch(() => {})
      .then(() => location.assign('#/'));
  });
  // The app starts after the ticket has been fetched.
  await client.session.ticket().catch(() => {});
  const loadConfig = () => void client.administration.magpieConfig().catch(() => {});
  client.on('signed-in', loadConfig);
  if (!client.state.config) loadConfig();
  // The list in the document is shown first; this one is kept up to date.
  if (client.state.notes) void client.notes.list().catch(() => {});
  let shownHash = location.hash;
  let leaving = false;
  /** Shows the page of the URL, unless the current page has unsaved text and the user stays. */
  const route = () => {
    // After a session has ended, don't ask: typed text is kept in this browser until the next one.
    const leave =
      client.state.session.phase === 'signed-in' ? mayLeave(workbench) : Promise.resolve(true);
    if (leaving) return;
    leaving = true;
    void leave.then((canLeave) => {
      leaving = false;
      // Restore the URL of the current page; nothing was loaded.
      if (!canLeave) return void history.replaceState(null, '', shownHash || '#/');
      show(client, shell);
      shownHash = location.hash;
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
  // The note lacks this revision: show the message as long as a toast, then redirect to home
  // (specification).
  workbench.addEventListener('tiding-note-missing', (event) => {
    const { revisionId, code } = (event as CustomEvent<{ revisionId?: string; code: string }>)
      .detail;
    if (revisionId === undefined || code !== 'not-found') return;
    const { hash } = location;
    setTimeout(() => location.hash === hash && location.assign('#/'), HOME_AFTER_MISSING_MS);
  });
  // A name in a widget, in a note or on the page of another object.
  workbench.addEventListener('tiding-open-object', (event) => {
    const { widget, name } = (event as CustomEvent<{ widget: string; name: string }>).detail;
    const path = widget === 'note' ? ['notebook', name] : ['object', widget, name];
    location.assign(`#/${path.map(encodeURIComponent).join('/')}`);
  });
  workbench.addEventListener('tiding-note-left', () => location.assign('#/'));
  workbench.addEventListener('tiding-home-wanted', () => location.assign('#/'));
  workbench.addEventListener('tiding-sign-in-wanted', () => {
    // Signing in as another user: unsaved text of the current one keeps them here unless they
    // choose to leave.
    void mayLeave(workbench)
      .then((canLeave) => (canLeave ? client.session.logout({ discard: true }) : undefined))
      .catch(() => {});
  });
  // Listens to the client and not to the form: if the address changes while the server checks a
  // password, another form is shown, and the events of the removed one don't arrive here.
  client.on('signed-in', () => {
    if (workbench.lastElementChild?.localName !== 'tiding-login') return;
    const { query } = readHash(location.hash);
    const target = `#${safeRef(query.get('ref')) ?? '/'}`;
    // Redirect to the page requested before sign-in after 100 ms (specification), unless the user
    // has navigated meanwhile.
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
    // Setting a new password ends the old sessions; the page that set it says so. A framed page
    // gets a new token.
    if (isPublicPage() || byToken) return;
    if (shell.signingOut) {
      shell.showMessage(texts.app.loggedOut);
      const { hash } = location;
      setTimeout(() => {
        if (location.hash !== hash) return;
        location.assign('#/');
        route();
      }, HOME_AFTER_LOGOUT_MS);
      return;
    }
    const { path, full } = readHash(location.hash);
    // The sign-in keeps the page that it leads to, also if the session ends twice.
    if (path !== '/') location.assign(`#/?ref=${encodeURIComponent(full)}`);
    route();
  });
  route();
}

/**
 * The answers that the server wrote into this document, if it knows the user. Only home needs the
 * list of notes at once; other pages request it when they show it.
 */
function initialAnswers({ path }: Location): InitialAnswers | undefined {
  const element = document.getElementById('initial');
  if (!element?.textContent) return undefined;
  const { notes, ...answers } = JSON.parse(element.textContent) as InitialAnswers;
  element.remove();
  return path === '/' ? { ...answers, notes } : answers;
}

/** Elements that the page of a URL shows to a user who is signed in. */
function tagsOf({ path, query }: Location): string[] {
  const match = matchRoute(path);
  return [
    ...(query.has('asIframe') ? [] : ['tiding-navigation']),
    ...(query.has('login') ? ['tiding-login'] : []),
    ...(match ? [match.route.show(match.params, query).tag] : []),
  ];
}

/** Asks the current page whether it may be left. */
async function mayLeave(workbench: HTMLElement): Promise<boolean> {
  const page = workbench.lastElementChild as
    | (Element & { mayLeave?: () => Promise<boolean> })
    | null;
  return page?.mayLeave?.() ?? true;
}

/** Message above the fields of the next sign-in. */
let notice: string | undefined;

/** Whether the page is public. Home is not, because it shows the sign-in. */
function isPublicPage(): boolean {
  const { path } = readHash(location.hash);
  return path !== '/' && matchRoute(path)?.route.access === 'public';
}

/** Adds the requested page as `ref`, so that single sign-on through this server returns to it. */
function withRef(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin || url.searchParams.has('ref')) return address;
  const { path, full, query } = readHash(location.hash);
  url.searchParams.set('ref', safeRef(path === '/' ? query.get('ref') : full) ?? '/');
  return url.href;
}

/** Applies the route guard, then shows the page. */
function show(client: Client, shell: ReturnType<typeof createShell>): void {
  const { path, full, query } = readHash(location.hash);
  const match = matchRoute(path);
  document.title = texts.app.product;
  const signedIn = client.state.session.phase === 'signed-in';
  if (!match) return void location.replace('#/');
  const { access } = match.route;
  if (!signedIn && access !== 'public')
    return void location.replace(`#/?ref=${encodeURIComponent(full)}`);
  if (typeof access !== 'string' && !mayOpen(client, access)) return void location.replace('#/');
  shell.update(path, query.has('asIframe'));
  const loginToken = query.get('login');
  if ((!signedIn && match.route.path === '/') || loginToken !== null) {
    const login = document.createElement('tiding-login');
    if (loginToken !== null) {
      // The token works only once: remove it from the URL and the history.
      history.replaceState(null, '', '#/');
      if (signedIn) return show(client, shell);
      login.setAttribute('once', loginToken);
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
  // Start a new page at its top, where screen readers start too.
  window.scrollTo(0, 0);
}

void start();
