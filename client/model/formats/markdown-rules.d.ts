/**
 * Adds rules that CommonMark lacks to a renderer of markdown-it: formulas, task lists, footnotes,
 * admonitions, and tables whose alignment survives a sanitizer. `renderToString` is that of KaTeX.
 * Returns a function that converts a text with LaTeX formulas to HTML.
 */
export function addMarkdownRules(
  md: object,
  renderToString: (tex: string, options: object) => string,
): (latex: string) => string;
