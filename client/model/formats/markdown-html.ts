/** Whether HTML was produced by the Markdown interpreter. */
export const isMarkdownHtml = (html: string): boolean =>
  /^\s*<div\b[^>]*\bclass\s*=\s*["']?[^"'>]*\bmarkdown-body\b/i.test(html);
