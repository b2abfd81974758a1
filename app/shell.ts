/** Frame around the pages: navigation bar and sign-out. Plain DOM; the pages are elements. */
import { type Client, isTidingError } from '@tiding/client';
import { onTexts, preload, texts } from '@tiding/elements/define';
import { mayOpen, routes } from './routes.ts';

interface Shell {
  /** Replaces the page with an element. */
  show(element: HTMLElement): void;
  /** Updates the navigation bar for a path; `framed` pages have none. */
  update(path: string, framed: boolean): void;
  /** Shows a message in place of the page. */
  showMessage(message: string): void;
  /** Whether the user pressed 'Logout' and the server has not answered yet. */
  readonly signingOut: boolean;
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function logo(): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('class', 'mark');
  svg.setAttribute('aria-hidden', 'true');
  const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
  for (const [name, value] of [
    ['cx', '10'],
    ['cy', '10'],
    ['r', '8.1'],
  ] as const)
    circle.setAttribute(name, value);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute(
    'd',
    'M1.9 10.6c2.2-2.3 5.2-2.5 8.1-.4s5.9 1.9 8.1-.4A8.1 8.1 0 0 1 10 18.1a8.1 8.1 0 0 1-8.1-7.5Z',
  );
  svg.append(circle, path);
  return svg;
}

const t = texts.app;
/** Whether the browser has the APIs for a request to the server. */
const supportsRequests = (): boolean =>
  [globalThis.fetch, AbortSignal.any, AbortSignal.timeout].every(
    (needed: unknown) => typeof needed === 'function',
  );
/** Navigation entries for the current user and server. */
const pagesOf = (client: Client) =>
  routes
    .filter(
      ({ navigation, access }) =>
        navigation &&
        [access, navigation.roles].every(
          (roles) => roles === undefined || typeof roles === 'string' || mayOpen(client, roles),
        ),
    )
    .filter(
      ({ navigation }) =>
        navigation?.feature === undefined ||
        (client.state.config?.['features'] as Record<string, unknown> | undefined)?.[
          navigation.feature
        ] !== false,
    )
    .map(({ path, navigation }) => ({
      path,
      group: navigation!.group,
      label: navigation!.label(),
    }));

type Navigation = HTMLElement & { path: string; places: unknown; list: boolean; client: Client };

/** Builds the shell in `root`. A framed page has no navigation, and doesn't load its code. */
export function createShell(
  root: HTMLElement,
  client: Client,
  workbench: HTMLElement,
  framed: boolean,
): Shell {
  const navigation = (): Navigation => {
    const element = document.createElement('tiding-navigation') as Navigation;
    element.client = client;
    // Preload the page's code before the click.
    element.addEventListener('tiding-near', (event) => {
      const route = routes.find(
        ({ path }) => path === (event as CustomEvent<{ path: string }>).detail.path,
      );
      if (route) void preload(route.show({}, new URLSearchParams()).tag).catch(() => {});
    });
    return element;
  };
  const nav = navigation();
  nav.className = 'mainnav';
  const list = navigation();
  list.className = 'side-list';
  list.list = true;
  let currentPath = '';
  const product = make('span', '');
  const brand = make('a', 'brand', logo(), product);
  brand.href = '#/';
  const bar = make('header', 'topbar', brand, ...(framed ? [] : [nav]));
  const skip = make('a', 'skip');
  skip.href = '#content';
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  // Target of the skip link. The workbench itself can't take a negative tabindex: it is a shadow
  // host, and Tab would skip all of its content.
  const main = make('main', '', workbench);
  main.id = 'content';
  main.tabIndex = -1;
  const notice = make('p', 'notice');
  notice.setAttribute('role', 'alert');
  notice.hidden = true;
  root.replaceChildren(skip, bar, notice, main);
  const showNotice = (message: string): void => {
    notice.textContent = message;
    notice.hidden = message === '';
  };

  let signingOut = false;
  nav.addEventListener('tiding-logout-wanted', () => {
    if (signingOut) return;
    signingOut = true;
    showNotice('');
    client.session
      .logout()
      .catch((error: unknown) => {
        if (!isTidingError(error, 'conflict')) throw error;
        // Only the author of unsaved text may decide to discard it.
        return confirm(`${t.leave}\n${error.message}`)
          ? client.session.logout({ discard: true })
          : undefined;
      })
      .catch((error: unknown) =>
        showNotice(
          supportsRequests()
            ? t.logoutFailed.replace('{reason}', () => (error as Error).message)
            : t.browserTooOld,
        ),
      )
      .finally(() => (signingOut = false));
  });

  let rendered: Pick<Client['state'], 'session' | 'config'> | undefined;
  const render = () => {
    const { session, config } = client.state;
    // Called on every change of the state, including typing and output.
    if (rendered?.session === session && rendered.config === config) return;
    rendered = { session, config };
    nav.hidden = !session.ticket;
    // Before sign-in there is nothing to navigate to: only the product name is shown above the
    // page.
    const container = nav.hidden ? bar : nav;
    if (brand.parentElement !== container) container.prepend(brand);
    nav.places = list.places = pagesOf(client);
  };
  client.subscribe(render);
  const updateTexts = () => {
    product.textContent = t.product;
    skip.textContent = t.skip;
    rendered = undefined;
    render();
  };
  onTexts(updateTexts);
  updateTexts();

  return {
    show(element) {
      // A single paragraph and a widget have second-level headings, because they are embedded in
      // other pages; here they are the page. Settings pages are shown beside their list.
      const heading =
        element.localName === 'tiding-paragraph'
          ? t.paragraph
          : element.localName === 'tiding-widget'
            ? element.getAttribute('object')
            : null;
      const group = routes.find(({ path }) => path === currentPath)?.navigation?.group;
      const showsList = group !== undefined && group !== 'main';
      workbench.classList.toggle('with-list', showsList);
      workbench.replaceChildren(
        ...(heading === null ? [] : [make('h1', 'visually-hidden', heading)]),
        ...(showsList ? [list] : []),
        element,
      );
    },
    showMessage(message) {
      const status = make('p', 'said', message);
      status.setAttribute('role', 'status');
      workbench.classList.remove('with-list');
      workbench.replaceChildren(status);
    },
    get signingOut() {
      return signingOut;
    },
    update(path, inFrame) {
      showNotice('');
      if (!inFrame && !nav.isConnected) bar.append(nav);
      bar.hidden = inFrame;
      skip.hidden = inFrame;
      document.documentElement.classList.toggle('framed', inFrame);
      currentPath = path;
      nav.path = list.path = path;
    },
  };
}
