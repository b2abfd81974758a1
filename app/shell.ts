/** The frame around the pages: navigation bar, signed-in user, connection. Plain DOM; the pages are elements. */
import { isTidingError, type Client } from 'tiding/client';
import { onTexts, preload, texts } from 'tiding/elements/define';
import { hasAnyRole, screenUsername } from 'tiding/model';
import { routes } from './routes.ts';

/** What the shell can be told. */
export interface Shell {
  /** Shows a page's element in place of the one before. */
  show(element: HTMLElement): void;
  /** Draws the bar for a path; `framed` pages have none. */
  update(path: string, framed: boolean): void;
}

function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, ...children: (Node | string)[]): HTMLElementTagNameMap[Tag] {
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
  for (const [name, value] of [['cx', '10'], ['cy', '10'], ['r', '8.1']] as const) circle.setAttribute(name, value);
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', 'M1.9 10.6c2.2-2.3 5.2-2.5 8.1-.4s5.9 1.9 8.1-.4A8.1 8.1 0 0 1 10 18.1a8.1 8.1 0 0 1-8.1-7.5Z');
  svg.append(circle, path);
  return svg;
}

const t = texts.app;
/** Where the navigation leads this person. */
const placesOf = (client: Client) => routes
  .filter(({ place, access }) => place && (typeof access === 'string' || hasAnyRole(client.session.roles, access)))
  .map(({ path, place }) => ({ path, group: place!.group, label: place!.label() }));

type Navigation = HTMLElement & { path: string; places: unknown; list: boolean; client: Client };

/** Builds the shell in `root`. */
export function createShell(root: HTMLElement, client: Client, workbench: HTMLElement): Shell {
  const navigation = (): Navigation => {
    const element = document.createElement('tiding-navigation') as Navigation;
    element.client = client;
    // The page's code is there before the click.
    element.addEventListener('tiding-near', (event) => {
      const route = routes.find(({ path }) => path === (event as CustomEvent<{ path: string }>).detail.path);
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
  const avatar = make('span', 'avatar');
  const name = make('span', 'user-name');
  const logout = make('button', 'logout');
  logout.type = 'button';
  const user = make('div', 'user', avatar, name, logout);
  const bar = make('header', 'topbar', brand, nav, user);
  const skip = make('a', 'skip');
  skip.href = '#content';
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    workbench.focus();
  });
  workbench.id = 'content';
  workbench.setAttribute('role', 'main');
  workbench.tabIndex = -1;
  root.replaceChildren(skip, bar, workbench);

  logout.addEventListener('click', () => {
    logout.disabled = true;
    client.session.logout()
      .catch((error: unknown) => {
        // Text that cannot be saved is dropped only by who wrote it.
        if (isTidingError(error, 'conflict') && confirm(`${t.leave}\n${error.message}`)) return client.session.logout({ discard: true });
        return undefined;
      })
      .catch(() => {})
      .finally(() => (logout.disabled = false));
  });

  let places = '';
  const draw = () => {
    const { session, connection } = client.state;
    const person = session.ticket ? screenUsername(session.ticket.principal) : '';
    user.hidden = person === '';
    avatar.textContent = person.slice(0, 2).toUpperCase();
    name.textContent = person;
    avatar.dataset['connection'] = connection;
    avatar.title = connection === 'open' ? t.connected : t.disconnected;
    avatar.setAttribute('aria-label', `${person}, ${avatar.title}`);
    avatar.setAttribute('role', 'img');
    nav.hidden = person === '';
    const now = JSON.stringify(placesOf(client));
    if (now !== places) {
      places = now;
      nav.places = list.places = placesOf(client);
    }
  };
  client.subscribe(draw);
  const words = () => {
    product.textContent = t.product;
    logout.textContent = t.logout;
    skip.textContent = t.skip;
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
      workbench.replaceChildren(...(element.localName === 'tiding-paragraph' ? [make('h1', 'visually-hidden', t.paragraph)] : []), ...(beside ? [list] : []), element);
    },
    update(path, framed) {
      bar.hidden = framed;
      skip.hidden = framed;
      document.documentElement.classList.toggle('framed', framed);
      here = path;
      nav.path = list.path = path;
    },
  };
}
