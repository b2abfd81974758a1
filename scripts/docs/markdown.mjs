/** Writes Markdown for VitePress and escapes text that looks like tags or Vue expressions. */

const escaped = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{{', '&#123;&#123;')
    .replace(/([*_[\]\\])/g, '\\$1');

/** A sentence, escaped except for its inline code. */
export const sentence = (text = '') =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 ? code(part.slice(1, -1)) : escaped(part)))
    .join('');

/** Inline code with everything escaped that Markdown or Vue would interpret. */
export const code = (text) => {
  if (text === '') return '';
  const inert = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[|\\`_*[\]]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<code v-pre>${inert}</code>`;
};

/** A fenced block. */
export const fence = (language, text) => `\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\``;

/** A table of cells in Markdown, or an empty string without rows. */
export function table(heads, rows) {
  if (rows.length === 0) return '';
  const escapedCell = (cell) => (cell ?? '').replace(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');
  const line = (cells) => `| ${cells.map(escapedCell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page with front matter, heading and blocks; empty blocks are dropped. */
export function page(
  { title, order, group, description, pageClass, heading = sentence(title) },
  blocks,
) {
  const quoted = (text) => JSON.stringify(text.replace(/\s+/g, ' '));
  const front = [
    '---',
    `title: ${quoted(title)}`,
    ...(order === undefined ? [] : [`order: ${order}`]),
    ...(group ? [`group: ${quoted(group)}`] : []),
    ...(description ? [`description: ${quoted(description)}`] : []),
    ...(pageClass ? [`pageClass: ${pageClass}`] : []),
    'editLink: false',
    '---',
  ];
  return `${[front.join('\n'), `# ${heading}`, ...blocks.flat().filter(Boolean)].join('\n\n')}\n`;
}

/** A section with a level-2 heading, or nothing if it is empty. */
export const section = (title, ...blocks) => {
  const whole = blocks.flat().filter(Boolean);
  return whole.length === 0 ? [] : [`## ${title}`, ...whole];
};
