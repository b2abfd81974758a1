/** How deep a language indents, in blanks; others four, as the editor's tab. */
const indents: Readonly<Record<string, number>> = {
  python: 4,
  java: 4,
  sql: 2,
  scala: 2,
  r: 2,
  javascript: 2,
  json: 2,
  html: 2,
  yaml: 2,
  sh: 2,
  markdown: 2,
  magpie: 2,
};

/** The unit of indentation of a language, by its plain name. */
export const indentOf = (language: string): string => ' '.repeat(indents[language] ?? 4);
