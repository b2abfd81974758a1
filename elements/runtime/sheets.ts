/**
 * Style sheets for shadow roots. Each is constructed once per page and adopted, which a strict
 * content security policy allows.
 */
const made = new Map<string, CSSStyleSheet>();

/** Returns the constructed style sheet for a text. */
export function constructedSheet(text: string): CSSStyleSheet {
  let known = made.get(text);
  if (!known) {
    known = new CSSStyleSheet();
    known.replaceSync(text);
    made.set(text, known);
  }
  return known;
}
