// Converts Markdown and LaTeX to HTML in a worker thread. Requests are `{source}` or `{latex}`,
// answers `{html}`.
const { createRequire } = require('node:module');
const { parentPort, workerData } = require('node:worker_threads');
const requireHere = createRequire(workerData.from);
const MarkdownIt = requireHere('markdown-it');

const renderer = new MarkdownIt({ html: false, linkify: true });
renderer.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index].attrSet('target', '_blank');
  tokens[index].attrSet('rel', 'noopener noreferrer');
  return self.renderToken(tokens, index, options);
};
const { escapeHtml } = renderer.utils;

/** Formulas in a text: `$$…$$`, `\[…\]`, `\(…\)`, `$…$` and environments. */
const formula =
  /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$((?:\\[\s\S]|[^$\\])+)\$|(\\begin\{(\w+\*?)\}[\s\S]+?\\end\{\6\})/g;

// Defined before this program. KaTeX is loaded with the first formula.
const mathOf = addRules(renderer, (tex, options) =>
  requireHere('katex').renderToString(tex, options),
);

function latexOf(text) {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(formula)) {
    const [whole, dollars, brackets, parentheses, dollar, environment] = match;
    const display = dollars ?? brackets ?? environment;
    html += escapeHtml(text.slice(from, match.index));
    html += mathOf(display ?? parentheses ?? dollar, display !== undefined);
    from = match.index + whole.length;
  }
  return `<p>${html}${escapeHtml(text.slice(from))}</p>\n`;
}

parentPort.on('message', ({ source, latex }) =>
  parentPort.postMessage({
    html: latex === undefined ? renderer.render(source) : latexOf(latex),
  }),
);
