import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { markdown, renderLatex } from './markdown.ts';
import { runCode, testHost } from './test-support.ts';

async function render(source: string): Promise<string> {
  const host = testHost();
  const result = await runCode(markdown.create(host), source);
  expect(result.end).toEqual({ code: 'SUCCESS' });
  expect(result.outputs).toHaveLength(1);
  expect(result.outputs[0]!.type).toBe('HTML');
  return result.outputs[0]!.data;
}

it('renders headings, tables and links', async () => {
  const html = await render(
    '# Title\n\n| a | b |\n|---|--:|\n| 1 | ~~2~~ |\n\nsee https://example.com/x',
  );
  expect(html).toMatch(/^<div class="markdown-body">\n<h1>Title<\/h1>[\s\S]*<\/div>$/);
  expect(html).toContain('<td>1</td>');
  expect(html).toContain('<s>2</s>');
  expect(html).toContain(
    '<a href="https://example.com/x" target="_blank" rel="noopener noreferrer">',
  );
});

it('escapes raw HTML and rejects script links', async () => {
  const html = await render(
    '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n' +
      '[x](javascript:alert(1)) ![y](vbscript:z) [d](data:text/html,x)',
  );
  expect(html).not.toMatch(/<script|<img|<a /);
  expect(html).toContain('&lt;script&gt;');
});

it('keeps the language of code and escapes its content', async () => {
  expect(await render('```sql\nselect 1 < 2\n```')).toContain(
    '<code class="language-sql">select 1 &lt; 2',
  );
});

it('leaves the main thread free, and ends texts that take too long with an error', async () => {
  await render('warm');
  const hard = [
    '['.repeat(900_000),
    '!['.repeat(450_000),
    `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${`${'|b'.repeat(2_000)}|\n`.repeat(240)}`,
  ];
  for (const source of hard) {
    const host = testHost();
    let turns = 0;
    let over = false;
    const counting = (async () => {
      while (!over) {
        await setImmediate();
        turns += 1;
      }
    })();
    const { end } = await runCode(markdown.create(host), source);
    over = true;
    await counting;
    // Rendered on the main thread, nothing else would have had a turn.
    expect(turns).toBeGreaterThan(100);
    if (end.code !== 'SUCCESS')
      expect(end).toMatchObject({
        code: 'ERROR',
        message: expect.stringMatching(/more than 2 seconds/),
      });
  }
  expect(await render('# next')).toContain('<h1>next</h1>');
});

it('renders formulas as MathML, beside text', async () => {
  const html = await renderLatex(
    'a < b: $\\frac{1}{2}$ and $$\\sum x$$ \\begin{align*} a &= 1 \\end{align*} for \\$5',
  );
  expect(html).toMatch(
    /^<div class="markdown-body">\n<p>a &lt; b: <span[^>]*><math [\s\S]*<mfrac>/,
  );
  expect(html.match(/<math [^>]*display="block"/g)).toHaveLength(2);
  expect(html).toContain('for \\$5</p>');
});

it('shows a formula with an error as its source, with the reason', async () => {
  expect(await renderLatex('$\\frac{1}$ then $x$')).toMatch(
    /<code>\\frac\{1\}<\/code> \(Unexpected end of input.*\) then <span/,
  );
  const html = await renderLatex(
    '$\\href{javascript:alert(1)}{x}$ $\\def\\a{\\a\\a}\\a$ $</math><script>1</script>$',
  );
  expect(html).not.toMatch(/<a |href=|<script/);
});

it('renders task lists, aligned tables and admonitions', async () => {
  const html = await render(
    '- [ ] plan\n- [x] **done**\n- [y] other\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n' +
      '> [!WARNING]\n> Hot *water*\n\n> [!TIP]\n>\n> Second\n\n> [!OTHER]\n> quote',
  );
  expect(html).toContain(
    '<li class="task-list-item"><span class="task-list-box" role="img" aria-label="to do">' +
      '☐</span> plan',
  );
  expect(html).toMatch(/aria-label="done">☑<\/span> <strong>done<\/strong>/);
  expect(html).toContain('<li>[y] other</li>');
  expect(html).toContain('<th align="center">a</th>\n<th align="right">b</th>');
  expect(html).toContain(
    '<blockquote class="admonition admonition-warning">\n' +
      '<p class="admonition-title">Warning</p>\n<p>Hot <em>water</em></p>',
  );
  expect(html).toContain('<p class="admonition-title">Tip</p>\n<p>Second</p>');
  expect(html).toMatch(/<blockquote>\n<p>\[!OTHER\]/);
});

it('renders footnotes in the order of their references, and only those', async () => {
  const html = await render(
    'B[^b] and A[^a] and B[^b], not[^c].\n\n' +
      '[^a]: first <b>\n[^b]: *second*\n  goes on\n[^d]: never',
  );
  expect(html).toContain('B<sup class="footnote-ref" title="*second*\ngoes on">1</sup>');
  expect(html).toContain('A<sup class="footnote-ref" title="first &lt;b&gt;">2</sup>');
  expect(html).toContain('not[^c]');
  expect(html).toContain(
    '<ol class="footnotes">\n<li><em>second</em>\ngoes on</li>\n<li>first &lt;b&gt;</li>\n</ol>',
  );
  expect(html).not.toContain('never');
});

it('renders formulas, and leaves prices and code alone', async () => {
  const html = await render(
    'Energy $E = mc^2$ and $$\\sum_{i=1}^n i$$ cost $5 or $6, `$x$`, \\$y$.\n\n$\\frac{1}$',
  );
  expect(html.match(/<math/g)).toHaveLength(2);
  expect(html).toContain('display="block"');
  expect(html).toContain('cost $5 or $6');
  expect(html).toContain('<code>$x$</code>');
  expect(html).toContain('$y$');
  expect(html).toContain('<code>\\frac{1}</code>');
});
