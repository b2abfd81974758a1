import { expect, test } from 'vitest';
import type { Paragraph } from '../../protocol/objects.ts';
import { toHtml } from './html.ts';

const sha256 = async (text: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
};
const page = (paragraph: Partial<Paragraph>, options?: { code?: boolean }) =>
  toHtml({ id: '2A', name: 'a/<Sales>', paragraphs: [{ id: 'p', ...paragraph }] }, options);
const results = (type: string, data: string) => ({
  status: 'FINISHED' as const,
  results: { code: 'SUCCESS', msg: [{ type, data }] },
});

test('allows exactly its own scripts and nothing from the network', async () => {
  const html = page({ text: '%python\nx', ...results('HTML', '<script>alert(1)</script>') });
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  const scripts = [
    /<script>(addEventListener[\s\S]*?)<\/script>/.exec(html)![1]!,
    /&lt;script&gt;(new ResizeObserver[\s\S]*?)&lt;\/script&gt;/
      .exec(html)![1]!
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"'),
  ];
  for (const script of scripts) expect(policy).toContain(`'sha256-${await sha256(script)}'`);
  expect(policy.match(/'sha256-/g)).toHaveLength(2);
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/https?:|'unsafe-eval'|script-src[^;]*'unsafe-inline'|\*/);
  // HTML of programs is only in the attribute of a frame without access to the page.
  expect(html).not.toContain('<script>alert');
  expect(html).toMatch(/<iframe sandbox="(?!.*allow-same-origin)[^"]*"[^>]* srcdoc="/);
});

test('has the title, code and results, and escapes them', () => {
  const html = page({
    title: 'A & B',
    text: '%sql\nselect "<a>"',
    ...results('TABLE', 'n\tb\n1\t<i>\n'),
  });
  expect(html).toContain('<title>&lt;Sales&gt;</title>');
  expect(html).toContain('<h2>A &amp; B</h2>');
  expect(html).toContain('<pre class="code">select &quot;&lt;a&gt;&quot;</pre>');
  expect(html).toContain('<tr><td class="number">1</td><td>&lt;i&gt;</td></tr>');
});

test('leaves out code on request, and what the note hides', () => {
  const text = '%python\nsecret';
  expect(page({ text, ...results('TEXT', 'out') }, { code: false })).not.toContain('secret');
  expect(page({ text, config: { editorHide: true } })).not.toContain('secret');
  expect(page({ text, config: { tableHide: true }, ...results('TEXT', 'out') })).not.toContain(
    'out<',
  );
  expect(page({ text: '%md\n# x' }, { code: false })).toContain('<pre># x</pre>');
  expect(page({ text: '%md\n# x', ...results('HTML', '<h1>x</h1>') })).not.toContain('# x');
});

test('has images, terminal colors and errors', () => {
  expect(page({ ...results('IMG', 'iVBORw0KGgo=') })).toContain(
    'src="data:image/png;base64,iVBORw0KGgo="',
  );
  expect(page({ ...results('TEXT', '\u001b[31mred\u001b[0m <b>') })).toMatch(
    /<pre><span style="color:#[\da-f]{6}">red<\/span> &lt;b&gt;<\/pre>/,
  );
  expect(page({ ...results('TEXT', 'boom'), status: 'ERROR' })).toContain(
    '<div class="error"><pre>boom</pre></div>',
  );
  expect(page({ ...results('HTML', '<tiding-widget><script>{}</script>') })).toContain(
    'only be shown in Tiding',
  );
});
