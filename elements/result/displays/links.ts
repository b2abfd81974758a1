/** A piece of text; `href` is set if it is a link. */
interface TextPiece {
  readonly text: string;
  readonly href?: string;
}

/**
 * HTTP and HTTPS addresses. Other schemes (files, scripts, mail) stay text, because printed output
 * must not trigger actions outside the page. Bidirectional control characters end an address.
 */
const address = /\bhttps?:\/\/[^\s<>"'`\u0000-\u001f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;
const open: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Splits a text at its web addresses; undefined if it has none. */
export function splitAtLinks(text: string): TextPiece[] | undefined {
  if (!text.includes('://')) return undefined;
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = trimmed(found);
    let href: string;
    try {
      href = new URL(shown).href;
    } catch {
      continue;
    }
    if (index > at) pieces.push({ text: text.slice(at, index) });
    pieces.push({ text: shown, href });
    at = index + shown.length;
  }
  if (pieces.length === 0) return undefined;
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

/**
 * Removes trailing punctuation of the sentence. A closing bracket stays if it was opened inside the
 * address.
 */
function trimmed(address: string): string {
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!;
    const pair = open[last];
    if (pair !== undefined) {
      const inside = address.slice(0, end);
      if (inside.split(pair).length >= inside.split(last).length) break;
    } else if (!'.,;:!?*_~'.includes(last)) break;
  }
  return address.slice(0, end);
}
