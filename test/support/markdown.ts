/** Parses Markdown files: fenced snippets, headings and links. */

/** A fenced block. `line` is the number of its first line of code, from 1. */
export interface Snippet {
  readonly file: string;
  readonly line: number;
  readonly language: string;
  /** What follows the language in the info string. */
  readonly info: string;
  readonly code: string;
}

/** Every fenced block of a text. */
export function snippetsOf(file: string, text: string): Snippet[] {
  const found: Snippet[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', fence, info = ''] =
      /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/.exec(lines[at]!) ?? [];
    if (!fence) continue;
    const from = at + 1;
    for (
      at = from;
      at < lines.length && !new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`).test(lines[at]!);
      at += 1
    );
    const [language = '', ...rest] = info.trim().split(/\s+/);
    found.push({
      file,
      line: from + 1,
      language,
      info: rest.join(' '),
      code: lines
        .slice(from, at)
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join('\n'),
    });
  }
  return found;
}

/** The text without its front matter and fenced blocks; lines keep their numbers. */
function proseOf(text: string): string {
  let fence = '';
  return text
    .replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, (front) => front.replace(/[^\n]/g, ''))
    .split(/\r?\n/)
    .map((line) => {
      const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
      if (fence === '' && mark !== '') {
        fence = mark;
        return '';
      }
      if (fence !== '') {
        if (mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = '';
        return '';
      }
      return line;
    })
    .join('\n');
}

const plain = (text: string): string =>
  text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/&#\d+;/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([*_[\]\\])/g, '$1')
    .replace(/[`*]/g, '');

/** The anchor that GitHub and the site generate for a heading. */
export const anchorOf = (heading: string): string =>
  plain(heading)
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/** Every anchor of a page. */
export function anchorsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const own = /\{#([\w-]+)\}\s*$/.exec(heading)?.[1];
    const anchor = own ?? anchorOf(heading);
    let name = anchor;
    for (let count = 1; found.has(name); count += 1) name = `${anchor}-${count}`;
    found.add(name);
  }
  for (const [, id] of text.matchAll(/\sid="([\w-]+)"/g)) found.add(id!);
  return found;
}

/** Every link and picture of a text, with its line. */
export function linksOf(text: string): { target: string; line: number }[] {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, (span) => ' '.repeat(span.length));
  const found = [
    ...prose.matchAll(
      /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|\s(?:href|src)="([^"]+)"|^\[[^\]]+\]:\s+(\S+)/gm,
    ),
  ];
  return found.map((match) => ({
    target: (match[1] ?? match[2] ?? match[3])!,
    line: prose.slice(0, match.index).split('\n').length,
  }));
}
