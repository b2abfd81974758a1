import { type Client, createClient } from '@tiding/client';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { elementClass } from '../element-class.ts';
import { pageServer } from '../note/test-server.ts';
import { check, pause, same, waitUntil } from '../result/test-support.tsx';
import { workbench } from '../shell/workbench.ts';
import { useHostClient } from './client-view.tsx';
import { takeClient } from './clients.ts';
import type { ElementSpec, ViewProps } from './define-element.ts';
import { useHostNote, useSelect } from './hooks.ts';
import { frames } from './test-page-errors.ts';

type Any = HTMLElement & Record<string, unknown>;

const found = new WeakMap<HTMLElement, Client | undefined>();
const renders = new WeakMap<HTMLElement, number>();

/** Shows the client and note that it got. */
function SeekerView(props: ViewProps) {
  const client = useHostClient(props);
  found.set(props.host, client);
  renders.set(props.host, (renders.get(props.host) ?? 0) + 1);
  const { note, error, retry } = useHostNote(
    props.host,
    client,
    props.values['note'] as string | undefined,
  );
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

  it('is its own `client` property, if set', async () => {
    const [mine, theirs] = [served().client, served().client];
    const outer = make('tiding-workbench', { client: theirs });
    const element = make(
      'tiding-seeker',
      { client: mine, server: 'http://127.0.0.1:1', token: 't' },
      outer,
    );
    await waitUntil(() => found.get(element) === mine, 'the own client');
    element['client'] = theirs;
    await waitUntil(() => found.get(element) === theirs, 'the other client');
  });

  it('is that of the nearest surrounding workbench, across shadow roots', async () => {
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
    await waitUntil(() => found.get(element) === near, 'the client of the nearest workbench');
  });

  it('follows the client of the workbench', async () => {
    const [first, second] = [served().client, served().client];
    const outer = make('tiding-workbench');
    const element = make('tiding-seeker', {}, outer);
    await waitUntil(() => shown(element) === 'nothing', 'no client');
    outer['client'] = first;
    await waitUntil(() => found.get(element) === first, 'the client');
    outer['client'] = second;
    await waitUntil(() => found.get(element) === second, 'the other client');
  });

  it("is available before the first paint, so that no 'no server' message flashes", async () => {
    const outer = make('tiding-workbench', { client: served().client });
    await frames();
    const words: (string | null | undefined)[] = [];
    const element = make('tiding-seeker', {}, outer);
    new MutationObserver(() => words.push(shown(element))).observe(element.shadowRoot!, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    await waitUntil(() => shown(element) === 'client', 'the client');
    same([...new Set(words)], ['client']);
  });

  it('is missing while a server on another origin has no token', async () => {
    const element = make('tiding-seeker', { server: 'http://127.0.0.1:1/' });
    await waitUntil(() => shown(element) === 'nothing', 'the view');
    element['token'] = 'secret';
    await waitUntil(() => found.get(element)?.server === 'http://127.0.0.1:1', 'the client');
    element['token'] = undefined;
    await waitUntil(() => found.get(element) === undefined, 'no client');
  });

  it('stays the same when a page sets a new function as its token at each render', async () => {
    const asked: string[] = [];
    const inline = (name: string) => async () => {
      asked.push(name);
      return `token of ${name}`;
    };
    const { origin } = location;
    const element = make('tiding-seeker', { server: origin, token: inline('first') });
    const client = await waitUntil(() => found.get(element), 'the client');
    for (const name of ['second', 'third']) element['token'] = inline(name);
    await frames();
    same(found.get(element) === client, true, 'one client');
    const used = inline('of another element');
    const other = make('tiding-seeker', { server: origin, token: used });
    const otherClient = await waitUntil(() => found.get(other), 'the other client');
    check(otherClient !== client, 'another function is another token');
    element['token'] = used;
    await waitUntil(() => found.get(element) === otherClient, 'the client of a function in use');
    await client.session.ticket().catch(() => {});
    same([...new Set(asked)].includes('third'), true, asked.join());
    check(!asked.includes('second'), 'an outdated function was asked');
  });

  it("opens a note while it is shown, and reports why it can't be opened", async () => {
    const server = served();
    const element = make('tiding-seeker', { client: server.client, note: 'note' });
    await waitUntil(() => shown(element) === 'folder/note', 'the note');
    element['note'] = undefined;
    await waitUntil(
      () => shown(element) === 'client' && Object.keys(server.client.state.open).length === 0,
      'the note is closed',
    );
    server.client.close();
    element['note'] = 'note';
    await waitUntil(() => shown(element) === 'closed', 'the reason');
    const before = renders.get(element)!;
    element.shadowRoot!.querySelector('button')!.click();
    await waitUntil(
      () => renders.get(element)! > before && shown(element) === 'closed',
      'another attempt',
    );
  });

  it('reports once that its token failed, with the reason, and tries again on demand', async () => {
    const memory = memoryServer({
      users: { ann: { password: 'p', token: 'token' } },
      notes: [{ id: 'note', path: 'folder/note', paragraphs: [{ id: 'p1', text: '' }] }],
    });
    let isGood = true;
    let refusals = 0;
    const refusal = () => {
      refusals += 1;
      const body = { status: 'UNAUTHORIZED', message: 'Revoked.', body: { reason: 'revoked' } };
      return Promise.resolve(new Response(JSON.stringify(body), { status: 401 }));
    };
    const client = createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: (input, init) => (isGood ? memory.fetch(input, init) : refusal()),
      auth: { token: () => 'token' },
      backoff: () => 1,
    });
    clients.push(client);
    const element = make('tiding-seeker', { note: 'note' });
    const errors: unknown[] = [];
    element.addEventListener('tiding-error', (event) => errors.push((event as CustomEvent).detail));
    element['client'] = client;
    await waitUntil(() => shown(element) === 'folder/note', 'the note');
    isGood = false;
    memory.push('SESSION_LOGOUT', { info: 'over' });
    await waitUntil(() => shown(element) === 'signed-out' && errors.length > 0, 'signed out');
    await frames();
    // The call with the present token and with another one from the same source.
    same(refusals, 2);
    same(errors, [{ code: 'signed-out', reason: 'revoked', message: 'Revoked.' }]);
    same(client.state.session.reason, 'revoked');
    isGood = true;
    element.shadowRoot!.querySelector('button')!.click();
    await waitUntil(() => shown(element) === 'folder/note', 'the note again');
    same(errors.length, 1);
  });
});

describe('a note whose ticket is renewed', () => {
  let memory: MemoryServer;
  let client: Client;
  let element: Any;
  beforeEach(() => {
    memory = memoryServer({
      users: { ann: { password: 'p', token: 'token' } },
      notes: [{ id: 'note', path: 'folder/note', paragraphs: [{ id: 'p1', text: '' }] }],
    });
    client = createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: memory.fetch,
      auth: { token: () => 'token' },
      backoff: () => 1,
    });
    element = document.createElement('tiding-seeker') as Any;
    Object.assign(element, { client, note: 'note' });
  });
  afterEach(() => {
    element.remove();
    client.close();
  });
  const words = () => element.shadowRoot?.querySelector('button')?.textContent;

  it('stays open, and its view never shows anything else', async () => {
    document.body.append(element);
    await waitUntil(() => words() === 'folder/note', 'the note');
    const seen: unknown[] = [];
    new MutationObserver(() => seen.push(words())).observe(element.shadowRoot!, {
      childList: true,
      subtree: true,
      characterData: true,
    });
    const events: string[] = [];
    client.on('event', ({ type }) => events.push(type));
    memory.push('SESSION_LOGOUT', { info: 'expired' });
    await waitUntil(() => events.includes('NOTE'), 'the note is loaded again');
    await frames();
    same([client.state.session.phase, client.state.session.renewing], ['signed-in', false]);
    same(
      events.filter((type) => /^note-|^signed-in|^session/.test(type)),
      ['session_logout', 'signed-in'],
    );
    same(seen, []);
  });

  it('is opened by an element that appears meanwhile', async () => {
    await client.notes.list();
    client.on('session_logout', () => document.body.append(element));
    memory.push('SESSION_LOGOUT', { info: 'expired' });
    await waitUntil(() => words() === 'folder/note', 'the note');
  });
});

describe('shared clients of the page', () => {
  const address = (name: string) => `http://${name}.test/`;

  it('are the same for the same server and token, and different otherwise', () => {
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

  it('stay open for a moment after release, and are then closed', async () => {
    const [client, giveBack] = takeClient(address('three'), 't');
    giveBack();
    giveBack();
    const [again, giveBackAgain] = takeClient(address('three'), 't');
    check(again === client, 'another client');
    giveBackAgain();
    await pause(2_200);
    const [fresh, back] = takeClient(address('three'), 't');
    check(fresh !== client, 'an unused client is kept');
    back();
  });

  it("have an address without the page's query and fragment", () => {
    const before = location.href;
    history.replaceState(null, '', '?query=1#/hash');
    const [client, giveBack] = takeClient('', 't');
    giveBack();
    history.replaceState(null, '', before);
    check(!/[?#]/.test(client.server), client.server);
  });
});
