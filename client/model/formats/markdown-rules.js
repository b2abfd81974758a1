/**
 * Adds rules that CommonMark lacks to a renderer of markdown-it: formulas, task lists, footnotes,
 * admonitions, and tables whose alignment survives the sanitizer of pages. `renderToString` is that
 * of KaTeX. Returns a function that converts a text with LaTeX formulas to HTML.
 *
 * The server runs the text of this function in a worker, so it uses nothing outside of itself.
 */
export function addMarkdownRules(md, renderToString) {
  const ADMONITIONS = {
    note: 'Note',
    tip: 'Tip',
    important: 'Important',
    warning: 'Warning',
    caution: 'Caution',
  };

  /** `align` instead of `style`, which pages remove. */
  function alignTables(md) {
    for (const cell of ['th_open', 'td_open']) {
      md.renderer.rules[cell] = (tokens, index, options, _env, self) => {
        const token = tokens[index];
        const align = /text-align:(\w+)/.exec(token.attrGet('style') ?? '')?.[1];
        token.attrs = align === undefined ? null : [['align', align]];
        return self.renderToken(tokens, index, options);
      };
    }
  }

  /** List items that start with `[ ]` or `[x]`. */
  function taskLists(md) {
    md.core.ruler.after('inline', 'task-lists', ({ tokens, Token }) => {
      tokens.forEach((token, index) => {
        const found = /^\[([ xX])\]\s+/.exec(token.content);
        if (!found || token.type !== 'inline' || tokens[index - 2]?.type !== 'list_item_open')
          return;
        const done = found[1] !== ' ';
        tokens[index - 2].attrJoin('class', 'task-list-item');
        const text = token.children[0];
        text.content = text.content.slice(found[0].length);
        const box = new Token('html_inline', '', 0);
        box.content =
          `<span class="task-list-box" role="img" aria-label="${done ? 'done' : 'to do'}">` +
          `${done ? '☑' : '☐'}</span> `;
        token.children.unshift(box);
      });
    });
  }

  /** Quotes that start with `[!NOTE]`, as on GitHub. */
  function admonitions(md) {
    md.core.ruler.after('block', 'admonitions', ({ tokens, Token }) => {
      for (let index = tokens.length - 3; index >= 0; index--) {
        const inline = tokens[index + 2];
        if (tokens[index].type !== 'blockquote_open' || inline?.type !== 'inline') continue;
        const found = /^\[!(\w+)\][^\S\n]*(?:\n|$)/.exec(inline.content);
        const kind = found?.[1].toLowerCase();
        if (!kind || !Object.hasOwn(ADMONITIONS, kind)) continue;
        inline.content = inline.content.slice(found[0].length);
        tokens[index].attrJoin('class', `admonition admonition-${kind}`);
        const title = new Token('html_block', '', 0);
        title.content = `<p class="admonition-title">${ADMONITIONS[kind]}</p>\n`;
        // The paragraph of an admonition without text in its first paragraph would be empty.
        if (inline.content === '') tokens.splice(index + 1, 3, title);
        else tokens.splice(index + 1, 0, title);
      }
    });
  }

  /** `[^name]` and `[^name]: text`. Pages allow no ids, so the text is the title of the number. */
  function footnotes(md) {
    const definition = /^\[\^([^\]\s]+)\]:[^\S\n]*/;
    md.block.ruler.before(
      'reference',
      'footnotes',
      (state, startLine, endLine, silent) => {
        const start = state.bMarks[startLine] + state.tShift[startLine];
        const found = definition.exec(state.src.slice(start, state.eMarks[startLine]));
        if (!found || state.sCount[startLine] - state.blkIndent >= 4) return false;
        if (silent) return true;
        let line = startLine + 1;
        const lines = [state.src.slice(start + found[0].length, state.eMarks[startLine])];
        // Indented lines continue the text.
        while (line < endLine && !state.isEmpty(line) && state.sCount[line] >= 2)
          lines.push(
            state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line++]),
          );
        state.env.footnotes ??= new Map();
        state.env.footnotes.set(found[1], lines.join('\n'));
        state.line = line;
        return true;
      },
      { alt: ['paragraph', 'reference'] },
    );
    md.inline.ruler.after('image', 'footnote-refs', (state, silent) => {
      const found = /^\[\^([^\]\s]+)\]/.exec(state.src.slice(state.pos, state.pos + 200));
      if (!found || !state.env.footnotes?.has(found[1])) return false;
      if (!silent) {
        state.env.cited ??= [];
        const { cited } = state.env;
        if (!cited.includes(found[1])) cited.push(found[1]);
        const token = state.push('footnote_ref', '', 0);
        token.meta = { name: found[1], number: cited.indexOf(found[1]) + 1 };
      }
      state.pos += found[0].length;
      return true;
    });
    const { escapeHtml } = md.utils;
    md.renderer.rules.footnote_ref = (tokens, index, _options, { footnotes: texts }) => {
      const { name, number } = tokens[index].meta;
      return `<sup class="footnote-ref" title="${escapeHtml(texts.get(name))}">${number}</sup>`;
    };
    const render = md.render.bind(md);
    md.render = (source) => {
      const env = {};
      const html = render(source, env);
      const items = (env.cited ?? []).map(
        (name) => `<li>${md.renderInline(env.footnotes.get(name), {})}</li>\n`,
      );
      return items.length === 0 ? html : `${html}<ol class="footnotes">\n${items.join('')}</ol>\n`;
    };
  }

  /**
   * `$…$` and `$$…$$`. As in Pandoc, a dollar that opens is not followed by a space, and one that
   * closes neither follows a space nor precedes a digit, so that prices stay text.
   */
  function formulas(md) {
    md.inline.ruler.before('escape', 'formula', (state, silent) => {
      if (state.src[state.pos] !== '$') return false;
      const display = state.src[state.pos + 1] === '$';
      const mark = display ? '$$' : '$';
      const start = state.pos + mark.length;
      let end = state.src.indexOf(mark, start);
      while (state.src[end - 1] === '\\') end = state.src.indexOf(mark, end + 1);
      if (end < 0 || end >= state.posMax) return false;
      const tex = state.src.slice(start, end);
      // An odd number of back quotes: the closing dollar is in a code span.
      const isText =
        tex.trim() === '' ||
        tex.split('`').length % 2 === 0 ||
        (!display && (/^\s|\s$|\n\s*\n/.test(tex) || /\d/.test(state.src[end + 1] ?? '')));
      if (isText) return false;
      if (!silent) state.push('formula', '', 0).meta = { tex, display };
      state.pos = end + mark.length;
      return true;
    });
    md.renderer.rules.formula = (tokens, index) => {
      const { tex, display } = tokens[index].meta;
      return mathOf(tex, display);
    };
  }

  /** MathML, which browsers draw without styles and fonts of this server. */
  function mathOf(tex, displayMode) {
    try {
      return renderToString(tex, {
        displayMode,
        output: 'mathml',
        strict: 'ignore',
        trust: false,
        maxExpand: 1000,
        maxSize: 100,
      });
    } catch (error) {
      const { escapeHtml } = md.utils;
      const reason = String(error.message).replace(/^KaTeX parse error: /, '');
      return `<code>${escapeHtml(tex.trim())}</code> (${escapeHtml(reason)})`;
    }
  }

  /** Formulas in a text: `$$…$$`, `\[…\]`, `\(…\)`, `$…$` and environments. */
  const FORMULA = new RegExp(
    [
      /\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)/,
      /\$((?:\\[\s\S]|[^$\\])+)\$/,
      /(\\begin\{(\w+\*?)\}[\s\S]+?\\end\{\6\})/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'g',
  );

  function latexOf(text) {
    const { escapeHtml } = md.utils;
    let html = '';
    let from = 0;
    for (const match of text.matchAll(FORMULA)) {
      const [whole, dollars, brackets, parentheses, dollar, environment] = match;
      const display = dollars ?? brackets ?? environment;
      html += escapeHtml(text.slice(from, match.index));
      html += mathOf(display ?? parentheses ?? dollar, display !== undefined);
      from = match.index + whole.length;
    }
    return `<p>${html}${escapeHtml(text.slice(from))}</p>\n`;
  }

  alignTables(md);
  taskLists(md);
  admonitions(md);
  footnotes(md);
  formulas(md);
  return latexOf;
}
