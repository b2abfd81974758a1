/** Indentation width by language, in spaces; others use 4, the editor's tab size. */
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

/** Returns the indentation unit of a language, given its normalized name. */
export const indentOf = (language: string): string => ' '.repeat(indents[language] ?? 4);
