/** What HTML outputs are, by their start, and what they may contain. */

/** Whether HTML starts as a widget does; only such outputs are parsed for one. */
export const mayBeWidget = (html: string): boolean => /^\s*<tiding-widget\b/i.test(html);

/** Classes an output may use. Any other class could make it look like part of the workbench. */
const allowedClasses =
  'markdown-body|language-[\\w+#-]+|hljs[\\w-]*|task-list[\\w-]*|contains-task-list|' +
  'footnote[\\w-]*|admonition[\\w-]*';
/** Matches the classes that an output may use. */
export const allowedClass = new RegExp(`^(?:${allowedClasses})$`);
