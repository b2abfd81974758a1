/* Angular outputs in their frames: AngularJS bound to the note's shared values. */

import type { Note, Output } from '@tiding/client';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import { type PageServer, pageServer } from '../note/test-server.ts';
import { readFrameMessage } from './frames/frame-connection.ts';
import { resultSheets, resultText } from './index.ts';
import { Result } from './test-outputs.tsx';
import { check, type Mounted, mount, pause, same, waitUntil } from './test-support.tsx';

const template = (data: string): Output => ({ type: 'ANGULAR', chunks: [data], count: 1 });
const frameUrl = new URL('/output-frame/1', location.href).href;

describe('messages of an Angular output', () => {
  it('contain only names and plain JSON', () => {
    for (const good of [
      {
        type: 'angular-set',
        values: [
          ['a', 1],
          ['b', { c: [null, 'x', true] }],
        ],
      },
      { type: 'call', call: 'run', paragraphId: '' },
      { type: 'call', call: 'set', name: 'a', value: null, paragraphId: 'p' },
      { type: 'call', call: 'unset', name: 'a', paragraphId: 'p' },
    ])
      same(readFrameMessage(good), good);
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    for (const bad of [
      { type: 'angular-set' },
      { type: 'angular-set', values: { a: 1 } },
      { type: 'angular-set', values: [['a']] },
      { type: 'angular-set', values: [['', 1]] },
      { type: 'angular-set', values: [['__proto__', {}]] },
      { type: 'angular-set', values: [['a', JSON.parse('{"__proto__": {"x": 1}}')]] },
      { type: 'angular-set', values: [['a', new Date()]] },
      { type: 'angular-set', values: [['a', new Map()]] },
      { type: 'angular-set', values: [['a', NaN]] },
      { type: 'angular-set', values: [['a', undefined]] },
      { type: 'angular-set', values: [['a', deep(60)]] },
      { type: 'angular-set', values: Array.from({ length: 201 }, (_, index) => [`n${index}`, 1]) },
      { type: 'angular-set', values: [['a', 'x'.repeat(70_000)]] },
      { type: 'call' },
      { type: 'call', call: 'run' },
      { type: 'call', call: 'run', paragraphId: 5 },
      { type: 'call', call: 'run', paragraphId: 'x'.repeat(300) },
      { type: 'call', call: 'eval', paragraphId: 'p', name: 'a' },
      { type: 'call', call: 'set', name: 'constructor', value: 1, paragraphId: 'p' },
      { type: 'call', call: 'set', name: 'a', paragraphId: 'p' },
    ])
      same(readFrameMessage(bad), null, JSON.stringify(bad).slice(0, 80));
  });
});

describe('Angular output', () => {
  let shown: Mounted;
  let server: PageServer;
  let note: Note;
  let told: string[];
  beforeEach(async () => {
    told = [];
    server = pageServer([
      { id: 'p', title: 'Tuning', text: 'x', status: 'FINISHED' },
      { id: 'q', text: 'y', status: 'FINISHED' },
    ]);
    note = await server.client.open('note');
  });
  afterEach(() => {
    server.client.close();
  });

  const place = (id: string) => ({
    client: server.client,
    note,
    paragraph: note.paragraph(id),
    showError: (message: string) => void told.push(message),
  });
  const show = (
    templates: readonly string[],
    ids: readonly string[] = ['p'],
    url = frameUrl,
  ): void => {
    const places = ids.map(place);
    shown = mount(
      templates.map((each, index) => (
        <Result
          key={index}
          outputs={[template(each)]}
          frameUrl={url}
          title="T"
          context={places[index] ?? places[0]}
        />
      )),
      resultSheets,
      700,
    );
  };
  /** The frames report what they know through their height. */
  const height = (at = 0): string | undefined => shown.all('iframe')[at]?.style.height;
  const tall = (expression: string): string =>
    `<style>body{margin:0}</style><div ng-style="{height: (${expression}) + 'px'}"></div>`;
  const value = (name: string, object: unknown, more: object = {}): void =>
    server.say('ANGULAR_OBJECT_UPDATE', {
      angularObject: { name, object },
      interpreterGroupId: 'sh-shared_process',
      noteId: 'note',
      ...more,
    });
  const sent = (op: string) =>
    server.received
      .filter((frame) => frame.op === op)
      .map(({ data }) => data as Record<string, unknown>);
  const click = async (x: number, y: number, at = 0): Promise<void> => {
    const box = shown.all('iframe')[at]!.getBoundingClientRect();
    await sendMouse({
      type: 'click',
      position: [Math.round(box.left + x), Math.round(box.top + y)],
    });
  };
  const button = (does: string, more = ''): string =>
    '<style>body{margin:0}button{display:block;width:200px;height:80px}</style>' +
    `<button ng-click="${does}">Go</button>${more}`;

  it('is compiled without eval, in a page of its own', async () => {
    show([
      '<style>body{margin:0}</style>' +
        '<div ng-repeat="n in [10, 20, 30]" ng-style="{height: n + \'px\'}"></div>' +
        '<p ng-show="false" style="height:900px"></p>',
    ]);
    await waitUntil(() => height() === '60px', 'what ng-repeat made');
    same(shown.find<HTMLIFrameElement>('iframe').src, `${frameUrl}/angular`);
    same(shown.find('iframe').getAttribute('sandbox'), 'allow-scripts');
  });

  it('is shown as plain HTML if scripts are disabled', async () => {
    show(['<b>{{1 + 1}}</b>'], ['p'], `${frameUrl}/still`);
    await waitUntil(
      () => shown.find<HTMLIFrameElement>('iframe').src === `${frameUrl}/still`,
      'the page of plain HTML',
    );
  });

  it('sees values of its paragraph, otherwise of the note, and their changes', async () => {
    value('n', 30);
    value('n', 500, { paragraphId: 'q' });
    await waitUntil(() => note.z.get('n', 'q') === 500, 'values');
    show([tall('n'), tall('n')], ['p', 'q']);
    await waitUntil(() => height(0) === '30px' && height(1) === '500px', 'values');
    value('n', 50);
    await waitUntil(() => height(0) === '50px', 'another value');
    value('n', 70, { paragraphId: 'p' });
    await waitUntil(() => height(0) === '70px', 'its own value');
    server.say('ANGULAR_OBJECT_REMOVE', { name: 'n', noteId: 'note', paragraphId: 'p' });
    await waitUntil(() => height(0) === '50px', 'the value of the note again');
    server.say('ANGULAR_OBJECT_REMOVE', { angularObject: { name: 'n' }, noteId: 'note' });
    await waitUntil(() => height(0) === '0px', 'none');
  });

  it('changes a value by click and typing; other outputs and the server receive it', async () => {
    value('n', 40);
    await waitUntil(() => note.z.get('n') === 40, 'value');
    show(
      [
        button(
          'n = n + 5',
          '<input ng-model="word" style="box-sizing:border-box;height:40px;width:200px;' +
            'display:block">',
        ),
        tall('n'),
      ],
      ['p', 'q'],
    );
    await waitUntil(() => height(1) === '40px' && Number.parseInt(height(0)!, 10) >= 120, 'values');
    await click(20, 20);
    await waitUntil(() => height(1) === '45px', 'the other output');
    same(sent('ANGULAR_OBJECT_UPDATED').at(-1), {
      noteId: 'note',
      name: 'n',
      value: 45,
      interpreterGroupId: 'sh-shared_process',
    });
    await click(20, 100);
    await sendKeys({ type: 'abc' });
    await pause(300);
    same(sent('ANGULAR_OBJECT_UPDATED').length, 1, 'values that are not shared stay in the frame');
    value('word', '', { paragraphId: 'p' });
    await pause(100);
    await sendKeys({ type: 'xyz' });
    await waitUntil(
      () => sent('ANGULAR_OBJECT_UPDATED').at(-1)!['value'] === 'xyz',
      'the typed text',
    );
    same(sent('ANGULAR_OBJECT_UPDATED').at(-1)!['paragraphId'], 'p');
  });

  it('gets the old value back if the server rejects a change', async () => {
    value('n', 90);
    await waitUntil(() => note.z.get('n') === 90, 'value');
    show([button('n = 120', tall('n'))]);
    await waitUntil(() => height() === '170px', 'value');
    await click(20, 20);
    await waitUntil(() => sent('ANGULAR_OBJECT_UPDATED').length === 1, 'change');
    const { msgId } = server.received.find(
      ({ op }) => op === 'ANGULAR_OBJECT_UPDATED',
    )! as unknown as { msgId: string };
    server.say('AUTH_INFO', { info: 'Insufficient privileges' }, msgId);
    await waitUntil(() => note.z.get('n') === 90 && height() === '170px', 'the value before');
  });

  it('binds and unbinds values with z', async () => {
    show([button("z.angularBind('hero', {name: 'Iron'}, 'q'); z.unset('old', 'q')")]);
    await waitUntil(() => height() === '80px', 'content');
    await click(20, 20);
    await waitUntil(() => sent('ANGULAR_OBJECT_CLIENT_BIND').length === 1, 'bind');
    value('hero', { name: 'Iron' }, { paragraphId: 'q' });
    await waitUntil(() => sent('ANGULAR_OBJECT_CLIENT_UNBIND').length === 1, 'unbind');
    same(sent('ANGULAR_OBJECT_CLIENT_BIND'), [
      { noteId: 'note', name: 'hero', value: { name: 'Iron' }, paragraphId: 'q' },
    ]);
    same(sent('ANGULAR_OBJECT_CLIENT_UNBIND'), [{ noteId: 'note', name: 'old', paragraphId: 'q' }]);
    same(told, []);
  });

  it('shares a value that the template binds in its own paragraph', async () => {
    const input = '<input ng-model="size" style="height:40px;width:200px;display:block">';
    show([button("z.angularBind('size', 7, 'p')", input + tall('size * 20'))]);
    await waitUntil(() => Number.parseInt(height() ?? '0', 10) >= 120, 'content');
    const before = Number.parseInt(height()!, 10);
    await click(20, 20);
    await waitUntil(() => sent('ANGULAR_OBJECT_CLIENT_BIND').length === 1, 'bind');
    value('size', 7, { paragraphId: 'p' });
    await waitUntil(() => Number.parseInt(height()!, 10) === before + 140, 'the value');
    await click(20, 100);
    await sendKeys({ type: '0' });
    await waitUntil(() => sent('ANGULAR_OBJECT_UPDATED').length > 0, 'the typed value');
    same(sent('ANGULAR_OBJECT_UPDATED').at(-1)!['name'], 'size');
  });

  it('explains missing arguments [W131]', async () => {
    show([
      button("z.runParagraph(); z.angularBind('a', 1); z.angularUnbind('a'); z.runParagraph('X')"),
    ]);
    await waitUntil(() => height() === '80px', 'content');
    await click(20, 20);
    await waitUntil(() => told.length === 4, 'messages');
    same(
      told,
      [
        "Please provide a 'paragraphId' when calling z.runParagraph(paragraphId)",
        "Please provide a 'paragraphId' when calling z.angularBind(varName, value, " +
          "'PUT_HERE_PARAGRAPH_ID')",
        "Please provide a 'paragraphId' when calling z.angularUnbind(varName, " +
          "'PUT_HERE_PARAGRAPH_ID')",
        "Cannot find a paragraph with id 'X'",
      ].sort((a, b) => told.indexOf(a) - told.indexOf(b)),
    );
  });

  it('runs a paragraph only after the user agreed', async () => {
    show(
      [button("z.runParagraph('p')"), '<div ng-init="z.run(\'q\')" style="height:20px"></div>'],
      ['q', 'q'],
    );
    await waitUntil(() => height(0) === '80px', 'content');
    const question = () => shown.all('[role=alertdialog]');
    await waitUntil(() => question().length === 1, 'a question without a click');
    check(
      question()[0]!.textContent!.includes(resultText.html.run('#2')),
      question()[0]!.textContent!,
    );
    const answer = (words: string): void =>
      [...question()[0]!.querySelectorAll('button')]
        .find(({ textContent }) => textContent === words)!
        .click();
    answer(resultText.html.notNow);
    await waitUntil(() => question().length === 0, 'no question');
    await click(20, 20);
    await waitUntil(() => question().length === 1, 'the question after the first click');
    check(
      question()[0]!.textContent!.includes(resultText.html.run('Tuning')),
      question()[0]!.textContent!,
    );
    same(sent('RUN_PARAGRAPH').length, 0, 'ran without asking');
    answer(resultText.html.runIt);
    await waitUntil(() => sent('RUN_PARAGRAPH').length === 1, 'run');
    same(sent('RUN_PARAGRAPH')[0]!['id'], 'p');
  });

  it('calls functions shared by an interpreter', async () => {
    value('_Z_ANGULAR_FUNC_greet', null);
    await waitUntil(() => Object.keys(note.state.shared).length === 1, 'function');
    show([button("greet('ann', 2)")]);
    await waitUntil(() => height() === '80px', 'content');
    await click(20, 20);
    await waitUntil(() => sent('ANGULAR_OBJECT_UPDATED').length === 1, 'call');
    same(sent('ANGULAR_OBJECT_UPDATED')[0]!['value'], ['ann', 2]);
  });

  it('submits forms to its own scope', async () => {
    value('n', 1);
    await waitUntil(() => note.z.get('n') === 1, 'value');
    show([
      '<style>body,form{margin:0!important}button{display:block;width:200px;height:80px}' +
        '</style><form ng-submit="n = 7"><button type="submit">Go</button></form>',
    ]);
    await waitUntil(() => Number.parseInt(height()!, 10) >= 80, 'content');
    await click(20, 20);
    await waitUntil(
      () => sent('ANGULAR_OBJECT_UPDATED').at(-1)?.['value'] === 7,
      'the effect of ng-submit',
    );
  });

  it('cannot change values of other paragraphs, whatever messages it sends', async () => {
    value('secret', 1, { paragraphId: 'q' });
    await waitUntil(() => note.z.get('secret', 'q') === 1, 'value');
    show([
      `${tall('30 + (secret ? 100 : 0)')}` +
        `<script>for (const type of ['angular-set', 'call']) parent.postMessage({ type, call: ` +
        `'set', name: 'secret', value: 2, values: [['secret', 2]], paragraphId: 'q' }, '*')` +
        '</script>',
    ]);
    await waitUntil(() => height() === '30px', 'content');
    await waitUntil(() => shown.root.textContent!.includes(resultText.html.forged), 'the notice');
    same(
      [
        note.z.get('secret', 'q'),
        sent('ANGULAR_OBJECT_UPDATED').length,
        sent('ANGULAR_OBJECT_CLIENT_BIND').length,
      ],
      [1, 0, 0],
    );
  });
});
