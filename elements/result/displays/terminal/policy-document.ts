/**
 * Returns the page's document for xterm, which creates style sheets and style attributes. A strict
 * content security policy blocks both, so sheets are constructed and adopted by `root`, and
 * attributes are set through the style object.
 */
export function policyDocument(root: ShadowRoot): Document {
  const createElement = (name: string): HTMLElement =>
    name === 'style' ? adoptedStyle(root) : withStyleObject(document.createElement(name));
  return new Proxy(document, {
    get(target, key) {
      if (key === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Returns an element whose text is the text of a sheet that `root` adopts until its removal. */
function adoptedStyle(root: ShadowRoot): HTMLElement {
  const element = document.createElement('span');
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
  element.remove = () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
    HTMLElement.prototype.remove.call(element);
  };
  return element;
}

function withStyleObject(element: HTMLElement): HTMLElement {
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value;
    else HTMLElement.prototype.setAttribute.call(element, name, value);
  };
  return element;
}
