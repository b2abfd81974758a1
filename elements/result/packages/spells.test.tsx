import type { Client, Note, Paragraph } from '@tiding/client';
import { output, showResult } from '../test-outputs.tsx';
import { check, same, waitUntil } from '../test-support.tsx';
import { packagesOf } from './package-store.ts';
import { interpretText, loadSpellCall, outputsOfParts, splitAtMagics } from './spells.ts';

const bundles: Record<string, string> = {};
const spell = (name: string, magic: string, body: string): void => {
  bundles[name] =
    `heliumBundles.push({ id: '${name}', name: '${name}', type: 'SPELL', class: class { ` +
    `interpret(text, config) { ${body} } } });`;
  magics[name] = magic;
};
const magics: Record<string, string> = {};
const entry = (name: string) => ({
  registry: 'npm',
  enabled: true,
  pkg: {
    type: 'SPELL',
    name,
    artifact: `${name}@1.0.0`,
    spell: { magic: magics[name], usage: '' },
  },
});
const client = {
  state: { server: undefined },
  server: location.origin,
  on: () => () => {},
  packages: {
    enabled: () => Promise.resolve(Object.keys(bundles).map(entry)),
    order: () => Promise.resolve([]),
    bundle: (name: string) => Promise.resolve(bundles[name]),
    spellConfig: () =>
      Promise.resolve({
        confPersisted: { repeat: 2 },
        confSpec: { repeat: { defaultValue: 1 }, delay: { defaultValue: 1 } },
      }),
  },
} as unknown as Client;

const read = async (name: string, text: string, signal?: AbortSignal) =>
  interpretText(client, await loadSpellCall(client, entry(name).pkg, text), signal);

describe('a spell', () => {
  it('from the registry interprets a text in a worker, with its settings', async () => {
    bundles['zeppelin-echo-spell'] = await (
      await fetch('/dist/test/packages/zeppelin-echo-spell.js')
    ).text();
    magics['zeppelin-echo-spell'] = '%echo';
    same(await read('zeppelin-echo-spell', 'hi'), [{ type: null, data: 'hi\nhi\n' }]);
    check(!document.querySelector('iframe[src*=package-frame]'), 'its frame is still there');
  });

  it('has no access to the page or the network', async () => {
    spell(
      'spy',
      '%spy',
      `return { dataWithTypes: [{ data: fetch('${location.origin}/').then(() => 'reached', ` +
        `() => 'shut').then((net) => net + ' ' + typeof document + ' ' + origin) }] };`,
    );
    same(await read('spy', ''), [{ type: null, data: 'shut undefined null' }]);
  });

  it('that throws reports its error, and one that never ends is stopped', async () => {
    spell('bad', '%bad', "throw new Error('no such word');");
    const why = await read('bad', '').then(
      () => '',
      (error: Error) => error.message,
    );
    check(why.includes('no such word'), why);
    spell('loop', '%loop', 'for (;;) {}');
    const control = new AbortController();
    setTimeout(() => control.abort(new Error('enough')), 300);
    same(
      await read('loop', '', control.signal).then(
        () => '',
        (error: Error) => error.message,
      ),
      'enough',
    );
  });

  it('splits its output at magics', () => {
    same(splitAtMagics('a\n%html <b>x</b>\nc\n%nope z\n%table a\tb\n', new Set(['%echo'])), [
      { type: 'TEXT', data: 'a\n' },
      { type: 'HTML', data: ' <b>x</b>\nc\n%nope z\n' },
      { type: 'TABLE', data: 'a\tb' },
    ]);
    same(splitAtMagics('%echo one\n%text two', new Set(['%echo'])), [
      { type: '%echo', data: ' one\n' },
      { type: 'TEXT', data: ' two\n' },
    ]);
    const given = { magic: '%draw', text: 'x', magics: new Set<string>() };
    same(
      outputsOfParts(
        [
          { type: 'ELEMENT', part: 0 },
          { type: 'HTML', data: '<i>' },
          { type: 'ELEMENT', part: 2 },
        ],
        given,
      ),
      [
        { type: '%draw', data: 'x' },
        { type: 'HTML', data: '<i>' },
      ],
    );
  });

  it('draws functions in a visible frame and shows texts as outputs', async () => {
    spell(
      'draw',
      '%draw',
      "return { dataWithTypes: [{ data: '%table a\\n' + text }, { data: (id) => { const p = " +
        "document.createElement('p'); p.style.height = '123px'; " +
        'document.getElementById(id).append(p); } }] };',
    );
    await packagesOf(client).refresh();
    const outputs = [output('%draw', '7')];
    const paragraph = { outputs } as unknown as Paragraph;
    const shown = showResult(outputs, {
      title: 't',
      context: { client, note: {} as Note, paragraph },
    });
    await waitUntil(
      () => shown.root.querySelector('[role=gridcell]')?.textContent === '7',
      'its table',
    );
    await waitUntil(
      () =>
        shown.find<HTMLIFrameElement>('iframe.package-frame').getBoundingClientRect().height >= 123,
      'its drawing',
    );
    same(
      [
        shown.find('iframe').getAttribute('sandbox'),
        shown.root.querySelector('.result-notice.danger'),
      ],
      ['allow-scripts', null],
    );
  });
});
