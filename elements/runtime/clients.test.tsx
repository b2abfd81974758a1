import type { Client } from 'tiding/client';
import { pageServer } from '../note/test-server.ts';
import { check, pause, same, until } from '../result/test-kit.tsx';
import { takeClient } from './clients.ts';
import { elementClass, type ElementSpec, type ViewProps } from './define-element.ts';
import { useClient, useNote, useSelect } from './hooks.ts';
import { complaints, frames } from './test-complaints.ts';
import { workbench } from './workbench.tsx';

type Any = HTMLElement & Record<string, unknown>;

const found = new WeakMap<HTMLElement, Client | undefined>();
const renders = new WeakMap<HTMLElement, number>();

/** Shows what it has got: a client, a note. */
function SeekerView(props: ViewProps) {
  const client = useClient(props);
  found.set(props.host, client);
  renders.set(props.host, (renders.get(props.host) ?? 0) + 1);
  const { note, error, retry } = useNote(client, props.values['note'] as string | undefined);
  const path = useSelect(
    client,
    (state) => (note ? state.open[note.id]?.path : undefined),
    undefined,
  );
  return (
    <button type="button" onClick={retry}>
      {error?.code ?? path ?? (client ? 'client' : 'nothing')}
    </button>
  );
}
const seeker: ElementSpec = {
  tag: 'tiding-seeker',
  doc: 'For tests.',
  view: SeekerView,
  properties: { note: { kind: 'string', doc: 'A note.' } },
};

describe('the client of an element', () => {
  const heard = complaints();
  const made: Element[] = [];
  const clients: Client[] = [];
  const make = (tag: string, properties: object = {}, parent: Element = document.body) => {
    const element = document.createElement(tag) as Any;
    Object.assign(element, properties);
    made.push(element);
    parent.append(element);
    return element;
  };
  const served = () => {
    const server = pageServer([{ id: 'p1', text: '', status: 'READY', rev: 1 }]);
    clients.push(server.client);
    return server;
  };
  const shown = (element: Any) => element.shadowRoot?.querySelector('button')?.textContent;

  before(() => {
    customElements.define(seeker.tag, elementClass(seeker));
    customElements.define(workbench.tag, elementClass(workbench));
  });
  afterEach(() => {
    for (const element of made.splice(0)) element.remove();
    for (const client of clients.splice(0)) client.close();
  });
  after(() => same(heard, [], 'complaints'));

  it('is its own property before anything else', async () => {
    const [mine, theirs] = [served().client, served().client];
    const outer = make('tiding-workbench', { client: theirs });
    const element = make(
      'tiding-seeker',
      { client: mine, server: 'http://127.0.0.1:1', token: 't' },
      outer,
    );
    await until(() => found.get(element) === mine, 'the own client');
    element['client'] = theirs;
    await until(() => found.get(element) === theirs, 'the other client');
  });

  it('is that of the nearest workbench around it, through shadow roots', async () => {
    const [far, near] = [served().client, served().client];
    const inner = make(
      'tiding-workbench',
      { client: near },
      make('tiding-workbench', { client: far }),
    );
    const box = document.createElement('div');
    inner.append(box);
    const element = make(
      'tiding-seeker',
      {},
      box.attachShadow({ mode: 'open' }).appendChild(document.createElement('p')),
    );
    await until(() => found.get(element) === near, 'the client of the nearest');
  });

  it('comes when the workbench gets it, and is another when the workbench gets another', async () => {
    const [first, second] = [served().client, served().client];
    const outer = make('tiding-workbench');
    const element = make('tiding-seeker', {}, outer);
    await until(() => shown(element) === 'nothing', 'no client');
    outer['client'] = first;
    await until(() => found.get(element) === first, 'the client');
    outer['client'] = second;
    await until(() => found.get(element) === second, 'the other client');
  });

  it('is there before anything is shown, so that nobody says for a moment that it is missing', async () => {
    const outer = make('tiding-workbench', { client: served().client });
    await frames();
    const words: (string | null | undefined)[] = [];
    const element = make('tiding-seeker', {}, outer);
    new MutationObserver(() => words.push(shown(element))).observe(element.shadowRoot!, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    await until(() => shown(element) === 'client', 'the client');
    same([...new Set(words)], ['client']);
  });

  it('is none while a server of another origin has no token, and comes with it', async () => {
    const element = make('tiding-seeker', { server: 'http://127.0.0.1:1/' });
    await until(() => shown(element) === 'nothing', 'the view');
    element['token'] = 'secret';
    await until(() => found.get(element)?.server === 'http://127.0.0.1:1', 'the client');
    element['token'] = undefined;
    await until(() => found.get(element) === undefined, 'no client');
  });

  it('opens a note for as long as it is shown, and says why there is none', async () => {
    const server = served();
    const element = make('tiding-seeker', { client: server.client, note: 'note' });
    await until(() => shown(element) === 'folder/note', 'the note');
    element['note'] = undefined;
    await until(
      () => shown(element) === 'client' && Object.keys(server.client.state.open).length === 0,
      'the note is given back',
    );
    server.client.close();
    element['note'] = 'note';
    await until(() => shown(element) === 'closed', 'the reason');
    const before = renders.get(element)!;
    element.shadowRoot!.querySelector('button')!.click();
    await until(() => renders.get(element)! > before && shown(element) === 'closed', 'another try');
  });
});

describe('clients of the page', () => {
  const address = (name: string) => `http://${name}.test/`;

  it('are one for the same server and token, and others for others', () => {
    const token = () => 'a';
    const taken = [
      takeClient(address('one'), token),
      takeClient(address('one'), token),
      takeClient(address('one'), () => 'a'),
      takeClient(address('one'), 'a'),
      takeClient(address('two'), token),
    ];
    const [first, ...rest] = taken.map(([client]) => client);
    same(
      rest.map((client) => client === first),
      [true, false, false, false],
    );
    check(first!.server === 'http://one.test', first!.server);
    for (const [, giveBack] of taken) giveBack();
  });

  it('stay for who comes back soon, and are closed when nobody does', async () => {
    const [client, giveBack] = takeClient(address('three'), 't');
    giveBack();
    giveBack();
    const [again, giveBackAgain] = takeClient(address('three'), 't');
    check(again === client, 'another client');
    giveBackAgain();
    await pause(2_200);
    const [fresh, back] = takeClient(address('three'), 't');
    check(fresh !== client, 'the same client, although nobody had it');
    back();
  });

  it('have an address without what the page has behind its path', () => {
    const before = location.href;
    history.replaceState(null, '', '?query=1#/hash');
    const [client, giveBack] = takeClient('', 't');
    giveBack();
    history.replaceState(null, '', before);
    check(!/[?#]/.test(client.server), client.server);
  });
});
