/** Stylesheets of shadow roots: constructed once a page and adopted, which a strict policy allows. */
const made = new Map<string, CSSStyleSheet>();

/** The constructed sheet of a stylesheet's text. */
export function sheet(text: string): CSSStyleSheet {
  let known = made.get(text);
  if (!known) {
    known = new CSSStyleSheet();
    known.replaceSync(text);
    made.set(text, known);
  }
  return known;
}
