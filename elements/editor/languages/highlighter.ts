import { type Highlighter, tags as t, tagHighlighter } from '@lezer/highlight';

export { highlightCode } from '@lezer/highlight';

/** Maps syntax tags to the classes of editor.css; shared by static code and the editor. */
export const highlighter: Highlighter = tagHighlighter([
  {
    tag: [t.keyword, t.bool, t.null, t.self, t.atom, t.special(t.variableName)],
    class: 'tok-keyword',
  },
  {
    tag: [t.string, t.regexp, t.escape, t.attributeValue, t.url, t.link, t.monospace],
    class: 'tok-string',
  },
  { tag: [t.number], class: 'tok-number' },
  {
    tag: [
      t.function(t.variableName),
      t.function(t.propertyName),
      t.function(t.definition(t.variableName)),
      t.standard(t.name),
      t.standard(t.variableName),
      t.macroName,
      t.meta,
      t.attributeName,
    ],
    class: 'tok-function',
  },
  {
    tag: [t.typeName, t.className, t.definition(t.className), t.namespace, t.tagName],
    class: 'tok-type',
  },
  { tag: [t.comment, t.docString], class: 'tok-comment' },
  { tag: [t.operator, t.derefOperator, t.processingInstruction], class: 'tok-operator' },
  { tag: [t.heading, t.strong], class: 'tok-strong' },
  { tag: t.emphasis, class: 'tok-emphasis' },
]);
