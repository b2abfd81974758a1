/** What HTML outputs are, by their start, and what they may contain. */

const markdown = /^\s*<div\b[^>]*\bclass\s*=\s*["']?[^"'>]*\bmarkdown-body\b/i;

/**
 * Whether HTML was produced by the Markdown interpreter, so it is shown inline instead of in a
 * frame.
 */
export function isMarkdown(html: string): boolean {
  return markdown.test(html);
}

/** Whether HTML starts as a widget does; only such outputs are parsed for one. */
export const mayBeWidget = (html: string): boolean => /^\s*<tiding-widget\b/i.test(html);

/** Classes an output may use. Any other class could make it look like part of the workbench. */
const allowedClasses = [
  'markdown-body',
  'language-[\\w+#-]+',
  'hljs[\\w-]*',
  'task-list[\\w-]*',
  'contains-task-list',
  'footnote[\\w-]*',
  'admonition[\\w-]*',
];
/** Matches the classes that an output may use. */
export const allowedClass = new RegExp(`^(?:${allowedClasses.join('|')})$`);
