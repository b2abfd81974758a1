/** The frame around the pages: navigation bar, signing out. Plain DOM; the pages are elements. */
import { isTidingError, type Client } from 'tiding/client';
import { onTexts, preload, texts } from 'tiding/elements/define';
import { hasAnyRole } from 'tiding/model';
import { routes } from './routes.ts';

/** What the shell can be told. */
export interface Shell {
  /** Shows a page's element in place of the one before. */
  show(element: HTMLElement): void;
  /** Draws the bar for a path; `framed` pages have none. */
  update(path: string, framed: boolean): void;
  /** Shows a sentence in place of the page. */
  say(message: string): void;
  /** Whether the reader has pressed 'Logout', and the server has not answered yet. */
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

function mark(): SVGSVGElement {
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
/** Whether the browser has what a call to the server is made with. */
const canAsk = (): boolean =>
  [globalThis.fetch, AbortSignal.any, AbortSignal.timeout].every(
    (needed: unknown) => typeof needed === 'function',
  );
/** Where the navigation leads this person, on this server. */
const placesOf = (client: Client) =>
  routes
    .filter(
      ({ place, access }) =>
        place &&
        [access, place.roles].every(
          (roles) =>
            roles === undefined ||
            typeof roles === 'string' ||
            hasAnyRole(client.session.roles, roles),
        ),
    )
    .filter(
      ({ place }) =>
        place?.feature === undefined ||
        (client.state.config?.['features'] as Record<string, unknown> | undefined)?.[
          place.feature
        ] !== false,
    )
    .map(({ path, place }) => ({ path, group: place!.group, label: place!.label() }));

type Navigation = HTMLElement & { path: string; places: unknown; list: boolean; client: Client };

/** Builds the shell in `root`. */
export function createShell(root: HTMLElement, client: Client, workbench: HTMLElement): Shell {
  const navigation = (): Navigation => {
    const element = document.createElement('tiding-navigation') as Navigation;
    element.client = client;
    // The page's code is there before the click.
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
  let here = '';
  const product = make('span', '');
  const brand = make('a', 'brand', mark(), product);
  brand.href = '#/';
  const bar = make('header', 'topbar', brand, nav);
  const skip = make('a', 'skip');
  skip.href = '#content';
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    workbench.focus();
  });
  workbench.id = 'content';
  workbench.setAttribute('role', 'main');
  workbench.tabIndex = -1;
  const notice = make('p', 'notice');
  notice.setAttribute('role', 'alert');
  notice.hidden = true;
  root.replaceChildren(skip, bar, notice, workbench);
  const tell = (message: string): void => {
    notice.textContent = message;
    notice.hidden = message === '';
  };

  let signingOut = false;
  nav.addEventListener('tiding-logout-wanted', () => {
    if (signingOut) return;
    signingOut = true;
    tell('');
    client.session
      .logout()
      .catch((error: unknown) => {
        if (!isTidingError(error, 'conflict')) throw error;
        // Text that cannot be saved is dropped only by who wrote it.
        return confirm(`${t.leave}\n${error.message}`)
          ? client.session.logout({ discard: true })
          : undefined;
      })
      .catch((error: unknown) =>
        tell(
          canAsk()
            ? t.logoutFailed.replace('{reason}', () => (error as Error).message)
            : t.browserTooOld,
        ),
      )
      .finally(() => (signingOut = false));
  });

  let drawn: Pick<Client['state'], 'session' | 'config'> | undefined;
  const draw = () => {
    const { session, config } = client.state;
    // Told of every change of the state, typing and output among them.
    if (drawn?.session === session && drawn.config === config) return;
    drawn = { session, config };
    nav.hidden = !session.ticket;
    // Before the sign-in there is nothing to go to: the name alone stands above the page.
    const place = nav.hidden ? bar : nav;
    if (brand.parentElement !== place) place.prepend(brand);
    nav.places = list.places = placesOf(client);
  };
  client.subscribe(draw);
  const words = () => {
    product.textContent = t.product;
    skip.textContent = t.skip;
    drawn = undefined;
    draw();
  };
  onTexts(words);
  words();

  return {
    show(element) {
      // A paragraph alone has a title of the second order, for the pages that it stands in; this one is its own.
      // Pages of settings stand beside the list of them.
      const group = routes.find(({ path }) => path === here)?.place?.group;
      const beside = group !== undefined && group !== 'main';
      workbench.classList.toggle('with-list', beside);
      workbench.replaceChildren(
        ...(element.localName === 'tiding-paragraph'
          ? [make('h1', 'visually-hidden', t.paragraph)]
          : []),
        ...(beside ? [list] : []),
        element,
      );
    },
    say(message) {
      const words = make('p', 'said', message);
      words.setAttribute('role', 'status');
      workbench.classList.remove('with-list');
      workbench.replaceChildren(words);
    },
    get signingOut() {
      return signingOut;
    },
    update(path, framed) {
      tell('');
      bar.hidden = framed;
      skip.hidden = framed;
      document.documentElement.classList.toggle('framed', framed);
      here = path;
      nav.path = list.path = path;
    },
  };
}
