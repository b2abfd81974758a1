/** The frame around the pages: navigation bar, signed-in user, connection. Plain DOM; the pages are elements. */
import { isTidingError, type Client } from 'tiding/client';
import { onTexts, texts } from 'tiding/elements/define';
import { screenUsername } from 'tiding/model';

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
const pages = [{ href: '#/', label: () => t.home, path: '/' }];

/** Builds the shell in `root`. */
export function createShell(root: HTMLElement, client: Client, workbench: HTMLElement): Shell {
  const nav = make('nav', 'mainnav');
  const links = pages.map(({ href, label, path }) => {
    const link = make('a', '');
    link.href = href;
    nav.append(link);
    return { link, label, path };
  });
  const product = make('span', '');
  const brand = make('a', 'brand', mark(), product);
  brand.href = '#/';
  const avatar = make('span', 'avatar');
  const name = make('span', 'user-name');
  const logout = make('button', 'logout');
  logout.type = 'button';
  const user = make('div', 'user', avatar, name, logout);
  const bar = make('header', 'topbar', brand, nav, make('span', 'grow'), user);
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
  };
  client.subscribe(draw);
  const words = () => {
    nav.setAttribute('aria-label', t.main);
    product.textContent = t.product;
    logout.textContent = t.logout;
    skip.textContent = t.skip;
    for (const { link, label } of links) link.textContent = label();
    draw();
  };
  onTexts(words);
  words();

  return {
    show(element) {
      // A paragraph alone has a title of the second order, for the pages that it stands in; this one is its own.
      workbench.replaceChildren(...(element.localName === 'tiding-paragraph' ? [make('h1', 'visually-hidden', t.paragraph)] : []), element);
    },
    update(path, framed) {
      bar.hidden = framed;
      skip.hidden = framed;
      document.documentElement.classList.toggle('framed', framed);
      for (const { link, path: own } of links) {
        if (own === path) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
    },
  };
}
