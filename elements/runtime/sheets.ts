/**
 * Style sheets for shadow roots. Each is constructed once per document and adopted, which a strict
 * content security policy allows. A document adopts only sheets of its own.
 */
const made = new WeakMap<Document, Map<string, CSSStyleSheet>>();

/** Returns the constructed style sheet for a text, in the document of a shadow root. */
export function constructedSheet(text: string, { ownerDocument }: ShadowRoot): CSSStyleSheet {
  let sheets = made.get(ownerDocument);
  if (!sheets) made.set(ownerDocument, (sheets = new Map()));
  let known = sheets.get(text);
  if (!known) {
    known = new (ownerDocument.defaultView ?? window).CSSStyleSheet();
    known.replaceSync(text);
    sheets.set(text, known);
  }
  return known;
}
