/**
 * The subset of jQuery that old packages use, as `$`, `jQuery` and the element they draw in.
 * Written for this page, because Zeppelin's page includes the real one.
 */
type Value = string | number;
type Listener = (event: Event) => void;
type Found = Element | Document | Window;
const isElement = (node: unknown): node is HTMLElement => node instanceof Element;
const pixels = (value: Value): string => (typeof value === 'number' ? `${value}px` : value);
const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const stored = new WeakMap<object, Map<string, unknown>>();

/** Converts content to nodes. Scripts in HTML don't run. */
function nodesOf(content: unknown): Node[] {
  if (content instanceof JQuerySubset)
    return content.toArray().filter((node) => node instanceof Node);
  if (content instanceof Node) return [content];
  if (Array.isArray(content)) return content.flatMap(nodesOf);
  const template = document.createElement('template');
  template.innerHTML = String(content);
  return [...template.content.childNodes];
}

/** A list of nodes with the jQuery methods. */
class JQuerySubset {
  [index: number]: Found;
  readonly length: number;

  constructor(nodes: readonly Found[]) {
    this.length = nodes.length;
    nodes.forEach((node, index) => (this[index] = node));
  }

  toArray(): Found[] {
    return Array.from({ length: this.length }, (_, index) => this[index]!);
  }
  get(index?: number): unknown {
    return index === undefined ? this.toArray() : this[index];
  }
  [Symbol.iterator](): Iterator<Found> {
    return this.toArray()[Symbol.iterator]();
  }
  get #elements(): HTMLElement[] {
    return this.toArray().filter(isElement);
  }
  #each(act: (element: HTMLElement) => void): this {
    this.#elements.forEach(act);
    return this;
  }
  each(act: (this: Found, index: number, node: Found) => unknown): this {
    this.toArray().every((node, index) => act.call(node, index, node) !== false);
    return this;
  }
  eq(index: number): JQuerySubset {
    return new JQuerySubset(this.toArray().slice(index, index + 1 || undefined));
  }
  first(): JQuerySubset {
    return this.eq(0);
  }
  find(selector: string): JQuerySubset {
    return new JQuerySubset([
      ...new Set(
        this.toArray().flatMap((node) =>
          'querySelectorAll' in node ? [...node.querySelectorAll(selector)] : [],
        ),
      ),
    ]);
  }
  children(selector = '*'): JQuerySubset {
    return new JQuerySubset(
      this.#elements.flatMap((element) =>
        [...element.children].filter((child) => child.matches(selector)),
      ),
    );
  }
  contents(): JQuerySubset {
    return new JQuerySubset(
      this.#elements.flatMap((element) => [...element.childNodes] as unknown as Element[]),
    );
  }
  parent(): JQuerySubset {
    return new JQuerySubset(this.#elements.flatMap((element) => element.parentElement ?? []));
  }
  closest(selector: string): JQuerySubset {
    return new JQuerySubset(this.#elements.flatMap((element) => element.closest(selector) ?? []));
  }
  is(selector: string): boolean {
    return this.#elements.some((element) => element.matches(selector));
  }

  append(...content: unknown[]): this {
    return this.#each((element) => element.append(...nodesOf(content)));
  }
  prepend(...content: unknown[]): this {
    return this.#each((element) => element.prepend(...nodesOf(content)));
  }
  appendTo(target: unknown): this {
    query(target).append(this);
    return this;
  }
  html(): string;
  html(content: unknown): this;
  html(content?: unknown): unknown {
    if (content === undefined) return this.#elements[0]?.innerHTML;
    return this.#each((element) => element.replaceChildren(...nodesOf(content)));
  }
  text(content?: unknown): unknown {
    if (content === undefined) return this.#elements.map((element) => element.textContent).join('');
    return this.#each((element) => (element.textContent = String(content)));
  }
  empty(): this {
    return this.#each((element) => element.replaceChildren());
  }
  remove(): this {
    return this.#each((element) => element.remove());
  }

  attr(name: string | Record<string, Value>, value?: Value | null): unknown {
    if (typeof name === 'object') {
      Object.entries(name).forEach(([key, each]) => this.attr(key, each));
      return this;
    }
    if (value === undefined) return this.#elements[0]?.getAttribute(name) ?? undefined;
    return this.#each((element) =>
      value === null ? element.removeAttribute(name) : element.setAttribute(name, String(value)),
    );
  }
  removeAttr(name: string): this {
    return this.#each((element) => element.removeAttribute(name));
  }
  prop(name: string, value?: unknown): unknown {
    if (value === undefined)
      return (this[0] as unknown as Record<string, unknown> | undefined)?.[name];
    return this.#each((element) => Object.assign(element, { [name]: value }));
  }
  val(value?: Value): unknown {
    return value === undefined ? this.prop('value') : this.prop('value', String(value));
  }
  data(name: string, value?: unknown): unknown {
    const of = (node: object) => stored.get(node) ?? stored.set(node, new Map()).get(node)!;
    if (value === undefined)
      return (
        this[0] &&
        (of(this[0]).get(name) ?? (isElement(this[0]) ? this[0].dataset[name] : undefined))
      );
    this.toArray().forEach((node) => of(node).set(name, value));
    return this;
  }
  css(name: string | Record<string, Value>, value?: Value): unknown {
    if (typeof name === 'object') {
      Object.entries(name).forEach(([key, each]) => this.css(key, each));
      return this;
    }
    const [first] = this.#elements;
    if (value === undefined) return first && getComputedStyle(first).getPropertyValue(kebab(name));
    return this.#each((element) =>
      element.style.setProperty(
        kebab(name),
        /^(z-?index|opacity|font-?weight|line-?height|zoom|flex)/i.test(name)
          ? String(value)
          : pixels(value),
      ),
    );
  }
  addClass(names: string): this {
    return this.#each((element) => element.classList.add(...names.split(/\s+/).filter(Boolean)));
  }
  removeClass(names: string): this {
    return this.#each((element) => element.classList.remove(...names.split(/\s+/).filter(Boolean)));
  }
  toggleClass(name: string, on?: boolean): this {
    return this.#each((element) => element.classList.toggle(name, on));
  }
  hasClass(name: string): boolean {
    return this.#elements.some((element) => element.classList.contains(name));
  }
  show(): this {
    return this.#each((element) => {
      element.style.display = '';
      if (getComputedStyle(element).display === 'none') element.style.display = 'block';
    });
  }
  hide(): this {
    return this.#each((element) => (element.style.display = 'none'));
  }

  #size(side: 'Width' | 'Height', value?: Value): unknown {
    if (value !== undefined) return this.css(side.toLowerCase(), value);
    const node = this[0];
    if (node === window) return window[`inner${side}`];
    if (node === document) return document.documentElement[`scroll${side}`];
    if (!isElement(node)) return undefined;
    const style = getComputedStyle(node);
    const ends = side === 'Width' ? ['left', 'right'] : ['top', 'bottom'];
    return (
      node[`client${side}`] -
      ends.reduce(
        (sum, end) => sum + (parseFloat(style.getPropertyValue(`padding-${end}`)) || 0),
        0,
      )
    );
  }
  width(value?: Value): unknown {
    return this.#size('Width', value);
  }
  height(value?: Value): unknown {
    return this.#size('Height', value);
  }
  innerWidth(): unknown {
    return isElement(this[0]) ? this[0].clientWidth : this.width();
  }
  innerHeight(): unknown {
    return isElement(this[0]) ? this[0].clientHeight : this.height();
  }
  outerWidth(): unknown {
    return isElement(this[0]) ? this[0].offsetWidth : this.width();
  }
  outerHeight(): unknown {
    return isElement(this[0]) ? this[0].offsetHeight : this.height();
  }
  offset(): { top: number; left: number } | undefined {
    if (!isElement(this[0])) return undefined;
    const { top, left } = this[0].getBoundingClientRect();
    return { top: top + window.scrollY, left: left + window.scrollX };
  }
  position(): { top: number; left: number } | undefined {
    return isElement(this[0]) ? { top: this[0].offsetTop, left: this[0].offsetLeft } : undefined;
  }
  scrollTop(): number {
    return isElement(this[0]) ? this[0].scrollTop : window.scrollY;
  }
  scrollLeft(): number {
    return isElement(this[0]) ? this[0].scrollLeft : window.scrollX;
  }

  on(names: string, listener: Listener): this {
    for (const node of this.toArray())
      for (const name of names.split(/\s+/)) node.addEventListener(name.split('.')[0]!, listener);
    return this;
  }
  off(names: string, listener?: Listener): this {
    for (const node of this.toArray())
      for (const name of names.split(/\s+/))
        if (listener) node.removeEventListener(name.split('.')[0]!, listener);
    return this;
  }
  bind(names: string, listener: Listener): this {
    return this.on(names, listener);
  }
  click(listener?: Listener): this {
    return listener ? this.on('click', listener) : this.#each((element) => element.click());
  }
  trigger(name: string): this {
    this.toArray().forEach((node) => node.dispatchEvent(new Event(name, { bubbles: true })));
    return this;
  }
  ready(listener: () => void): this {
    queueMicrotask(listener);
    return this;
  }
}

/**
 * The `$` function: accepts a selector, HTML, a node, a list, or a function, which is called at
 * once because the page has loaded.
 */
export function query(target: unknown): JQuerySubset {
  if (target instanceof JQuerySubset) return target;
  if (typeof target === 'function') {
    queueMicrotask(() => (target as () => void)());
    return new JQuerySubset([document]);
  }
  if (typeof target === 'string')
    return new JQuerySubset(
      target.trimStart().startsWith('<')
        ? (nodesOf(target) as Element[]).filter(isElement)
        : [...document.querySelectorAll(target)],
    );
  if (target instanceof Element || target === document || target === window)
    return new JQuerySubset([target as Found]);
  return new JQuerySubset(
    Array.isArray(target) || target instanceof NodeList || target instanceof HTMLCollection
      ? [...(target as Iterable<Element>)]
      : [],
  );
}
query.fn = JQuerySubset.prototype;
query.extend = (...objects: object[]): object => Object.assign({}, ...objects) as object;
query.each = (list: Record<string, unknown>, act: (key: string, value: unknown) => void): void =>
  Object.entries(list).forEach(([key, value]) => act(key, value));
query.isFunction = (value: unknown): boolean => typeof value === 'function';
query.isArray = Array.isArray;
