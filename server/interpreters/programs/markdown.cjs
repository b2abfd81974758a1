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
// Defined before this program. KaTeX is loaded with the first formula.
const latexOf = addRules(renderer, (tex, options) =>
  requireHere('katex').renderToString(tex, options),
);

parentPort.on('message', ({ source, latex }) =>
  parentPort.postMessage({
    html: latex === undefined ? renderer.render(source) : latexOf(latex),
  }),
);
