// Converts Markdown to HTML in a worker thread. Requests are `{source}`, answers `{html}`.
const { createRequire } = require('node:module');
const { parentPort, workerData } = require('node:worker_threads');
const MarkdownIt = createRequire(workerData.from)('markdown-it');

const renderer = new MarkdownIt({ html: false, linkify: true });
renderer.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  tokens[index].attrSet('target', '_blank');
  tokens[index].attrSet('rel', 'noopener noreferrer');
  return self.renderToken(tokens, index, options);
};
parentPort.on('message', ({ source }) => parentPort.postMessage({ html: renderer.render(source) }));
