/** Notes and paragraphs as static HTML. */
import { createClient } from '@tiding/client';
import { memoryServer } from '@tiding/client/testing';
import {
  hasFirstView,
  type MarkupNode,
  renderFirstView,
  renderNote,
  renderPage,
  renderParagraph,
} from '@tiding/elements/snapshot';
import { describe, expect, it, test } from 'vitest';
import type { Paragraph } from '../client/protocol/objects.ts';
import { markupNode } from '../elements/snapshot/markup-nodes.ts';
import { staticHtml } from '../elements/snapshot/static-html.ts';
import { vectors } from './security/vectors.ts';

const noteOf = (...paragraphs: Partial<Paragraph>[]) => ({
  id: '2A',
  name: 'a/<Sales>',
  paragraphs: paragraphs.map((each, at) => ({ id: `p${at}`, ...each })),
});
const output = (type: string, data: string, more: object = {}) => ({
  status: 'FINISHED' as const,
  results: { code: 'SUCCESS', msg: [{ type, data, ...more }] },
});
const bare = async (paragraph: Partial<Paragraph>, options = {}) =>
  (await renderParagraph(noteOf(paragraph), 'p0', options)).replace(/<style>[\s\S]*<\/style>/, '');
const points = {
  xAxis: { name: 'city', index: 0, aggr: 'sum' },
  yAxis: { name: 'n', index: 1, aggr: 'sum' },
  axes: { title: 'Places' },
};
const chart = (mode: string, more: object = {}) => ({
  config: {
    results: {
      0: {
        graph: {
          mode,
          keys: [{ name: 'city', index: 0, aggr: 'sum' }],
          values: [{ name: 'n', index: 1, aggr: 'sum' }],
          setting: { scatterChart: points, map: points },
          ...more,
        },
      },
    },
  },
});

describe('a snapshot', () => {
  it('is an element with a declarative shadow root', async () => {
    const html = await renderParagraph(noteOf({ title: 'A & B', config: { title: true } }), 'p0', {
      server: 'https://notes.example.org/"x',
      theme: 'dark',
      nonce: 'n"1',
    });
    expect(html.split('>', 3)).toEqual([
      '<tiding-paragraph server="https://notes.example.org/&quot;x" note="2A" paragraph="p0"' +
        ' look="report" theme="dark"',
      '<template shadowrootmode="open"',
      '<style nonce="n&quot;1"',
    ]);
    expect(html).toMatch(/<\/template><\/tiding-paragraph>$/);
    expect(html).toContain('<h2 class="report-title">A &amp; B</h2>');
    expect(await renderNote(noteOf({}))).toMatch(
      /^<tiding-notebook note="2A" look="report" bare="">/,
    );
  });

  it('escapes titles, names, code and cells', async () => {
    const html = await renderNote(
      noteOf({
        title: '<i>T',
        config: { title: true },
        text: '%sql\nselect "<a>"',
        ...output('TABLE', '<u>\tb\n1\t</template><i>\n'),
      }),
      { code: true },
    );
    expect(html).toContain('aria-label="&lt;Sales&gt;"');
    expect(html).toContain('>&lt;i&gt;T</h2>');
    expect(html).toContain('<pre class="snapshot-code">select &quot;&lt;a&gt;&quot;</pre>');
    expect(html).toContain('&lt;u&gt;</th>');
    expect(html).toContain('<td>&lt;/template&gt;&lt;i&gt;</td>');
    expect(html.match(/<\/template>/g)).toHaveLength(1);
  });

  it('has only the style rules that it uses', async () => {
    const html = await renderParagraph(noteOf(output('TEXT', 'out')), 'p0');
    expect(html.length).toBeLessThan(12_000);
    expect(html).toContain('.text-box{');
    expect(html).toContain('--_surface:');
    expect(html).not.toMatch(/\.prose|\.chart-body|--_chart-1|\.data-grid|undefined/);
    // Style attributes would be blocked by a strict policy of the page.
    expect(html).not.toContain(' style=');
  });

  it('hides what the note hides, and what a report has no use for', async () => {
    const out = output('TEXT', 'visible');
    const hidden = noteOf({ text: '%sh\nls', ...out, config: { tableHide: true } });
    expect(await renderNote(hidden)).not.toContain('<article');
    expect(await renderParagraph(hidden, 'p0')).toContain('visible');
    expect(await renderNote(noteOf(output('TEXT', 'OK, 3 rows\n')))).not.toContain('<article');
    const code = { text: '%sh\nsecret', ...out };
    expect(await renderNote(noteOf(code))).not.toContain('secret');
    expect(await renderNote(noteOf(code), { code: true })).toContain('secret');
    expect(
      await renderNote(noteOf({ ...code, config: { editorHide: true } }), { code: true }),
    ).not.toContain('secret');
    expect(await bare({ text: '%md\n# x' })).toContain('# x</pre>');
    expect(await bare({ text: '%md\n# x', ...output('HTML', '<h1>x</h1>') })).not.toContain('# x');
  });

  it('shows forms with their values, without passwords', async () => {
    const forms = {
      region: {
        type: 'Select',
        name: 'region',
        options: [{ value: 'eu', displayName: 'Europe <1>' }],
        defaultValue: 'eu',
      },
      key: { type: 'Password', name: 'key', defaultValue: '' },
    };
    const html = await bare({ settings: { params: { key: 'hunter2' }, forms } } as never);
    expect(html).toContain('Europe &lt;1&gt;');
    expect(html).not.toContain('hunter2');
  });

  it('is the same for an open note and for its file', async () => {
    const file = noteOf(
      { title: 'One', config: { title: true }, ...output('TABLE', 'a\tb\n1\t2\n') },
      { text: '%md\n# x', ...output('HTML', '<div class="markdown-body"><h1>x</h1></div>') },
    );
    const memory = memoryServer({ notes: [{ ...file, path: 'a/<Sales>' } as never] });
    const { server, transport, fetch } = memory;
    const client = createClient({ server, transport, fetch });
    const note = await client.open('2A');
    expect(await renderNote(note)).toBe(await renderNote(await client.notes.export('2A')));
    expect(await renderNote(note)).toContain('>One</h2>');
    expect(await renderParagraph(note, 'p1')).toContain('<h1>x</h1>');
    client.close();
    memory.close();
  });

  it('says what is wrong with its input', async () => {
    await expect(renderNote({ cells: [] } as never)).rejects.toThrow('it has no paragraphs');
    await expect(renderNote('{')).rejects.toThrow('JSON parse exception');
    await expect(renderParagraph(noteOf({}), 'p7')).rejects.toThrow(
      "'<Sales>' has no paragraph 'p7'",
    );
    await expect(renderNote(noteOf({}), { rows: 0 })).rejects.toThrow(
      "'rows' is 0: use a number of 1",
    );
  });
});

describe('outputs', async () => {
  it('are tables up to a number of rows, with a sentence about the others', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `${at}\tx${at}`).join('\n');
    const html = await bare(output('TABLE', `n\tb\n${rows}\n`, { rows: 70_000 }));
    expect(html.match(/<tr>/g)).toHaveLength(101);
    expect(html).toContain('The first 100 of 70,000 rows.');
    expect(html.length).toBeLessThan(20_000);
    expect(await bare(output('TABLE', 'n\tb\n1\ty\n2\tx\n'), { rows: 1 })).toContain('1 of 2 rows');
    expect(await bare(output('TABLE', 'n\tb\n1\ty\n2\tx\n'))).not.toContain('The first');
  });

  it('are tables as the note arranges them', async () => {
    const html = await bare({
      ...output('TABLE', 'n\tb\tc\n1000\tone\tq\n2500\ttwo\tr\n'),
      config: {
        results: {
          0: {
            graph: {
              setting: {
                table: {
                  tableGridState: {
                    columns: [
                      { name: 'n', index: 0, sort: { direction: 'desc', priority: 0 } },
                      { name: 'b', index: 1, visible: true, sort: {} },
                      { name: 'c', index: 2, visible: false, sort: {} },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    });
    expect(html.indexOf('two')).toBeLessThan(html.indexOf('one'));
    expect(html).toContain('<td class="right">2,500</td>');
    expect(html).not.toContain('>q<');
  });

  it.each([
    ...['multiBarChart', 'lineChart', 'stackedAreaChart', 'pieChart', 'scatterChart'],
    ...['histogram', 'comboChart', 'heatMap', 'boxPlot', 'map'],
  ])('are %s as SVG in the colours of the theme, with its values as a table', async (mode) => {
    const arePoints = ['scatterChart', 'map'].includes(mode);
    const first = arePoints ? '5' : '<script>hit()</script>';
    const html = await bare({
      ...output('TABLE', `city\tn\n${first}\t3\n8\t7\n`),
      ...chart(mode),
    });
    expect(html).toMatch(/role="img" aria-label="[^"]+"><svg [^>]*viewBox="0 0 720 /);
    expect(html).toMatch(/(?:fill|stroke)="var\(--_chart-/);
    expect(html).not.toMatch(/#0d1|rgb\(|NaN|<script|ecmeta/);
    expect(html).toMatch(/<caption>.*<\/table>/);
    if (arePoints) expect(html).toContain('<p class="chart-title">Places</p>');
  });

  it('are big numbers, and heat maps in tints of the theme', async () => {
    const table = output('TABLE', 'city\tn\nA\t3\nA\t4\nB\t10\n');
    expect(await bare({ ...table, ...chart('bigNumber') })).toContain(
      '<p class="big-number-value">17</p>',
    );
    expect(await bare({ ...table, ...chart('heatMap') })).toContain(
      'fill="color-mix(in srgb, var(--_chart-mono) 8%, var(--_surface))"',
    );
  });

  it('are tables if a chart has nothing to draw, or too many points', async () => {
    const points = Array.from({ length: 3_000 }, (_, at) => `${at}\t${at}`).join('\n');
    for (const html of [
      await bare({ ...output('TABLE', 'city\tn\n'), ...chart('multiBarChart') }),
      await bare({ ...output('TABLE', `city\tn\n${points}\n`), ...chart('scatterChart') }),
      await bare({ ...output('TABLE', 'city\tn\n1\t2\n'), ...chart('a-package') }),
    ])
      expect(html).toContain('snapshot-table');
  });

  it('are texts with colours and links, and the end of long ones', async () => {
    expect(await bare(output('TEXT', '\u001b[31mred\u001b[0m <b> https://a.example/'))).toMatch(
      /<span class="ansi-fg-1">red<\/span>.* &lt;b&gt; <a href="https:\/\/a.example\/"/,
    );
    const long = await bare(
      output('TEXT', Array.from({ length: 3_000 }, (_, at) => at).join('\n')),
    );
    expect(long).toContain('2999\n');
    expect(long).not.toContain('\n1000\n');
    expect(long).toContain('2,000 lines');
  });

  it('are errors with their trace, after what was printed', async () => {
    const html = await bare({
      ...output('TEXT', 'out\nTraceback (most recent call last):\n  File "x"\nValueError: boom'),
      status: 'ERROR',
    });
    expect(html).toMatch(/out\n[\s\S]*<span>ValueError: boom<\/span>[\s\S]*<details/);
  });

  it('are images, networks and sentences about what needs a script', async () => {
    expect(await bare(output('IMG', 'iVBORw0KGgo='))).toContain(
      'src="data:image/png;base64,iVBORw0KGgo="',
    );
    expect(await bare(output('IMG', 'https://a.example/track.png'))).not.toContain('<img');
    expect(await bare(output('SVG', '<svg onload="hit()"/>'))).toMatch(
      /<img [^>]*src="data:image\/svg/,
    );
    expect(
      await bare(
        output('NETWORK', JSON.stringify({ nodes: [{ id: 1, label: 'Ann' }], edges: [] })),
      ),
    ).toContain('<table>');
    expect(await bare(output('HTML', '<script>draw()</script>'))).toContain('drawn by a script');
    expect(
      await bare(output('HTML', '<tiding-widget><script type="application/json">{}</script>')),
    ).toContain('can only be shown in Tiding');
  });

  it.each('TEXT HTML ANGULAR ELEMENT TABLE IMG SVG NETWORK TERMINAL INPUT %spell MAP'.split(' '))(
    'of type %s contain no script, style or frame',
    async (type) => {
      const paragraphs = vectors.map((vector) => {
        const cell = vector.replace(/\s/g, ' ');
        const data = type === 'TABLE' ? `${cell}\tb\n${cell}\t1` : vector;
        return { title: vector, config: { title: true }, ...output(type, data) };
      });
      const rendered = await renderNote(noteOf(...paragraphs));
      const html = rendered.replace(/<style>[\s\S]*?<\/style>/, '');
      // Quotes are escaped in attributes, so what is left between tags is text.
      const tags = html.match(/<[^<>]*>/g)!.map((tag) => tag.replace(/"[^"]*"/g, '""'));
      expect(tags.length).toBeGreaterThan(vectors.length);
      const elements =
        'script style iframe object embed base meta link form input noscript textarea';
      const active = new RegExp(
        `</?(?:${elements.replaceAll(' ', '|')})\\b| on\\w+=|srcdoc|formaction`,
        'i',
      );
      expect(tags.filter((tag) => active.test(tag))).toEqual([]);
      expect(html).not.toMatch(/(?:href|src)="\s*(?:javascript|vbscript|data:text)/i);
      expect(html.match(/<\/template>/g)).toHaveLength(1);
    },
  );
});

describe('static HTML', async () => {
  it('keeps text, tables, links and small images', async () => {
    expect(
      staticHtml(
        '<table border="1" class="dataframe"><tr><td align=right>1 &lt; 2 &eacute;</td></table>' +
          '<a href="https://a.example/?a=1&amp;b=2">x</a><img src="data:image/png;base64,aGk=">',
      ),
    ).toBe(
      '<table><tr><td align="right">1 &lt; 2 &eacute;</td></tr></table>' +
        '<a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">x</a>' +
        '<img src="data:image/png;base64,aGk=">',
    );
  });

  it.each([
    ['<b>x', '<b>x</b>'],
    ['<b><i>x</b>y</i>', '<b><i>x</i></b>y'],
    ['x</div></template>y', 'xy'],
    ['a < b <3 <', 'a &lt; b &lt;3 &lt;'],
    ['<p title="a>b">x</p>', '<p title="a&gt;b">x</p>'],
    ['<p title="unclosed', '&lt;p title=&quot;unclosed'],
    ['<!-- <b> -->x<!-- y', 'x'],
    ['<![CDATA[x]]>y<?php z ?>', 'y'],
    ['<script>a</script >b<style>c', 'b'],
    ['<custom-tag onclick=x>y</custom-tag>', 'y'],
    ['<a href="java&#10;script:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="&#x6a;avascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" \u0001javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="#top">x</a>', '<a>x</a>'],
    ['<img src="https://a.example/t.png" alt="T">', '<img alt="T">'],
    ['<img src=x onerror=alert(1)>', '<img>'],
    ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '<img>&quot;&gt;'],
    ['<h1 class="markdown-body paragraph" id="x">y</h1>', '<h1 class="markdown-body">y</h1>'],
  ])('writes %s as %s', (html, written) => {
    expect(staticHtml(html)).toBe(written);
  });

  it('puts drawings into images', async () => {
    expect(staticHtml('x<svg><script>hit()</script></svg>y')).toMatch(
      /^x<img alt="" src="data:image\/svg\+xml;charset=utf-8,[^"<]*">y$/,
    );
  });

  it.each(['<a "', '<b>', '</i>', '<script>', '</script ', '&#1', '<!--', '<svg>', "<a x='"])(
    'takes time in proportion to the length of %s again and again',
    (part) => {
      expect(staticHtml(part.repeat(400_000)).length).toBeGreaterThanOrEqual(0);
    },
  );
});

test('a page of a note needs no script, no network and no shadow root', async () => {
  const html = await renderPage(
    noteOf({ title: 'T', text: '%sh\nls -l', ...output('HTML', '<p>out</p><script>x</script>') }),
    { theme: 'dark' },
  );
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!;
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toMatch(/script-src|https?:|\*/);
  expect(html).not.toMatch(/<script|<template|<iframe|:host|<tiding-/);
  expect(html).toContain('<title>&lt;Sales&gt;</title>');
  expect(html).toContain('<h1>&lt;Sales&gt;</h1>');
  expect(html).toContain('>T</h2>');
  expect(html).toContain('ls -l</pre>');
  expect(html).toContain('<p>out</p>');
  expect(html).toContain('.snapshot-page[theme="dark"]');
  expect(await renderPage(noteOf({ text: '%sh\nls -l' }), { code: false })).not.toContain('ls -l');
});

it('has the images of the file of a note in its Markdown, and the text of others', async () => {
  const html =
    '<div class="markdown-body"><img src="map.png" alt="map"><img src="no.png" alt="no">';
  const file = { ...noteOf(output('HTML', html)), images: { 'map.png': 'aGVsbG8=' } };
  for (const page of [await renderPage(file), await renderNote(JSON.stringify(file))]) {
    expect(page).toContain('<img src="data:image/png;base64,aGVsbG8=" alt="map">');
    expect(page).toContain('<img alt="no">');
  }
  const other = { ...noteOf(output('HTML', '<img src="map.png">')), images: file.images };
  expect(await renderPage(other)).not.toContain('aGVsbG8=');
});

describe('a first view', () => {
  const write = (node: MarkupNode): string =>
    typeof node === 'string' ? node : `<${node[0]}>${node[2].map(write).join('')}</${node[0]}>`;
  const textOf = (node: MarkupNode): string =>
    typeof node === 'string' ? node : node[2].map(textOf).join('');

  it('is the markup of the snapshot as data', async () => {
    const paragraph = { id: 'p0', ...output('TABLE', 'a & b\tn\n<i>\t1\n"é\t20\n') };
    for (const look of ['report', 'embed'] as const) {
      const view = await renderFirstView(paragraph, { look, width: 700, tables: new Map() });
      expect(textOf(view!.body)).toBe('AText a & b#Number n<i>1"é20');
      expect(write(view!.body)).toMatch(
        /^<div><article><div><div>.*<thead><tr><th><span>A<.*a & b/,
      );
      expect(JSON.stringify(view!.body)).toContain(`"class":"paragraph ${look}"`);
      // The element has these sheets.
      expect(view!.css).not.toMatch(/--_surface:|\.button\b/);
      expect(view!.css).toContain('.snapshot-table');
    }
    const drawn = await renderFirstView(
      { id: 'p0', ...output('TABLE', 'city\tn\nA\t1\nB\t2\n'), ...chart('multiBarChart') },
      { look: 'report', width: 700, tables: new Map() },
    );
    expect(JSON.stringify(drawn!.body)).toContain('["path",{');
  });

  it('has header, code and tools in layouts with code', async () => {
    const paragraph = {
      id: 'p0',
      text: "%sql\nselect 'a'",
      ...output('TABLE', 'a\tn\nx\t1\ny\t20\n'),
    };
    const options = { width: 700, tables: new Map() };
    for (const look of ['default', 'simple'] as const) {
      const view = await renderFirstView(paragraph, { ...options, look });
      const body = JSON.stringify(view!.body);
      for (const part of ['paragraph-head', 'tok-keyword', 'result-bar', 'snapshot-number'])
        expect(body).toContain(`"class":"${part}"`);
      expect(textOf(view!.body)).toContain("%sql\nselect 'a'");
      expect(body).toContain('This page may show the note but not run it.');
      // A policy of the page may block style attributes.
      expect(body).not.toContain('"style"');
    }
  });

  it.each<[string, boolean, Partial<Paragraph>, ('default' | 'simple')?]>([
    ['JSON', true, output('TEXT', '{"a": 1}')],
    ['JSON beside its tree', false, output('TEXT', '{"a": 1}'), 'default'],
    ['code in another size', false, { ...output('TEXT', 'x'), config: { fontSize: 12 } }, 'simple'],
    [
      'open fields',
      false,
      { ...output('TABLE', 'a\n1\n'), ...chart('table', { optionOpen: true }) },
    ],
    ['a table', true, output('TABLE', 'a\n1\n')],
    ['a text', true, output('TEXT', 'said')],
    ['Markdown', true, output('HTML', '<div class="markdown-body"><p>x</p></div>')],
    ['HTML', false, output('HTML', '<p onclick="x">x</p>')],
    ['an image of the note', false, output('HTML', '<div class="markdown-body"><img src="a.png">')],
    ['a widget', false, output('ANGULAR', '{{x}}')],
    ['no result', false, { status: 'FINISHED' }],
    ['a run', false, { ...output('TEXT', 'said'), status: 'RUNNING' }],
    ['an error', false, { ...output('TEXT', 'said'), status: 'ERROR' }],
    ['a form', false, { ...output('TEXT', 'said'), settings: { forms: { a: { name: 'a' } } } }],
    ['a form in its text', false, { ...output('TEXT', 'said'), text: '%sh\necho ${a}' }],
    ['more rows than are read', false, output('TABLE', 'a\n1\n', { rows: 10_001 })],
    ['a view of a package', false, { ...output('TABLE', 'a\n1\n'), ...chart('a-package') }],
  ])('of %s exists: %s', (_, expected, paragraph, look) => {
    expect(hasFirstView({ id: 'p0', ...paragraph } as Paragraph, look)).toBe(expected);
  });

  it.each([
    ['<p>a</p>b', 'not one element'],
    ['<p>a', 'not one element'],
    ['<p>a</b>', '</b> ends <p>'],
    ['<p>&euro;</p>', 'unknown reference &euro;'],
    ["<p title='a'>b</p>", 'no tag'],
  ])('is not made of %s', (html, reason) => {
    expect(() => markupNode(html)).toThrow(reason);
  });
});
