import type { Client } from '@tiding/client';
import { Component, type ReactElement, type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import profile from '../../test/fixtures/widgets/data-set-profile.json';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { takeClient } from '../runtime/clients.ts';
import { commonTexts } from '../text/common.ts';
import { setTexts } from '../wording/set-texts.ts';
import { elementComponent } from './element-component.ts';
import { TidingProvider } from './provider.tsx';
import { useClient } from './use-client.ts';

type Props = Readonly<Record<string, unknown>>;
type Shown = HTMLElement & Record<string, unknown>;

let loads = 0;
/** As in the built entry, where the names come from the specs. */
const properties = new Set(['server', 'token', 'client', 'data', 'object']);
const loadProfile = async () => {
  loads += 1;
  const [{ register }, { profilesElements }] = await Promise.all([
    import('../register.ts'),
    import('../widgets/profiles/index.ts'),
  ]);
  return register(profilesElements.find(({ tag }) => tag === 'tiding-profile')!);
};
/** Like the dynamic import of a module, which runs once. */
let loading: Promise<unknown> | undefined;
const Profile = elementComponent(
  'tiding-profile',
  properties,
  () => (loading ??= loadProfile()),
) as (props: Props) => ReactElement;

let box: HTMLElement;
let root: Root | undefined;
const shown = () => box.querySelector('tiding-profile') as Shown;
const all = () => [...box.querySelectorAll('tiding-profile')] as Shown[];
function render(node: ReactNode): void {
  root ??= createRoot(box);
  root.render(<StrictMode>{node}</StrictMode>);
}
const drawn = () =>
  waitUntil(() => shown()?.shadowRoot?.querySelector('[data-widget]'), 'the widget');

beforeEach(() => {
  box = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  root?.unmount();
  root = undefined;
  box.remove();
});

describe('the component of an element', () => {
  it('is a plain tag on a server, and gets its properties when it is hydrated', async () => {
    const token = () => 'a token';
    const node = (
      <StrictMode>
        <Profile className="box" id="p" theme="dark" data={profile} token={token} object="x" />
      </StrictMode>
    );
    box.innerHTML = renderToString(node);
    same(box.innerHTML, '<tiding-profile class="box" id="p" theme="dark"></tiding-profile>');
    same([loads, customElements.get('tiding-profile')], [0, undefined]);
    const before = shown();
    root = hydrateRoot(box, node);
    await drawn();
    same(shown() === before, true, 'the element stays');
    same(
      [before['data'] === profile, before['token'] === token, before['object']],
      [true, true, 'x'],
    );
    same(loads, 1);
  });

  it('updates and clears properties, and passes on what it does not know', async () => {
    const first = { ...profile, name: 'first' };
    render(<Profile data={first} object="x" aria-label="A profile" hidden style={{ order: 2 }} />);
    const element = await waitUntil(shown, 'the element');
    await waitUntil(() => element['data'] === first, 'the data');
    same(
      [element.getAttribute('aria-label'), element.hidden, element.style.order],
      ['A profile', true, '2'],
    );
    render(<Profile data={profile} />);
    await waitUntil(() => element['data'] === profile, 'other data');
    same([element['object'], element.hasAttribute('aria-label')], [undefined, false]);
  });

  it('calls the listeners of the last render, and of no earlier one', async () => {
    const calls: string[] = [];
    const say = (name: string) => (event: Event) => calls.push(`${name} ${event.type}`);
    render(<Profile data={profile} onTidingOpenObject={say('a')} onTidingSelect={say('b')} />);
    await drawn();
    const emit = (name: string) => shown().dispatchEvent(new CustomEvent(name));
    emit('tiding-open-object');
    emit('tiding-select');
    render(<Profile data={profile} onTidingOpenObject={say('c')} className="again" />);
    await waitUntil(() => shown().className === 'again', 'the second render');
    emit('tiding-open-object');
    emit('tiding-select');
    same(calls, ['a tiding-open-object', 'b tiding-select', 'c tiding-open-object']);
  });

  it('sets its ref once methods can be called, and clears it', async () => {
    const seen: (Shown | null)[] = [];
    const note = (element: Shown | null) => void seen.push(element);
    render(<Profile data={profile} ref={note} />);
    await waitUntil(() => seen.at(-1), 'the ref');
    const text = await (seen.at(-1) as unknown as { describe(): Promise<string> }).describe();
    check(text.length > 0, 'no text');
    render(null);
    await waitUntil(() => seen.at(-1) === null, 'no ref');
  });

  it('reports to the error boundary that its code can not be loaded', async () => {
    const Broken = elementComponent('tiding-broken', properties, () =>
      Promise.reject(new Error('offline')),
    );
    root = createRoot(box, { onCaughtError: () => {} });
    render(
      <Boundary>
        <Broken />
      </Boundary>,
    );
    await waitUntil(() => box.textContent === 'offline', 'the error');
  });
});

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError({ message }: Error) {
    return { message };
  }
  override render() {
    return this.state.message ?? this.props.children;
  }
}

describe('a provider', () => {
  it('gives its settings to components, whose own properties take precedence', async () => {
    const own = () => 'own';
    render(
      <TidingProvider server="/a" fetchToken={() => 'provided'} theme="dark">
        <Profile data={profile} />
        <Profile data={profile} token={own} theme="light" server={undefined} />
        <Profile data={profile} server="/b" />
      </TidingProvider>,
    );
    await drawn();
    same(
      all().map((each) => [
        each['server'],
        (each['token'] as (() => string) | undefined)?.(),
        each.getAttribute('theme'),
      ]),
      [
        ['/a', 'provided', 'dark'],
        ['/a', 'own', 'light'],
        // Another server must not see the token.
        ['/b', undefined, 'dark'],
      ],
    );
  });

  it('keeps its connection when fetchToken is a new function, and calls the latest', async () => {
    const seen = new Set<Client>();
    function See() {
      const client = useClient();
      if (client) seen.add(client);
      return null;
    }
    const renderWith = (token: string) =>
      render(
        <TidingProvider server="/shared" fetchToken={() => token} theme="dark">
          <Profile data={profile} id={token} />
          <See />
        </TidingProvider>,
      );
    renderWith('one');
    await waitUntil(() => seen.size === 1, 'the client');
    const token = shown()['token'] as () => string;
    renderWith('two');
    await waitUntil(() => shown().id === 'two', 'the second render');
    same([shown()['token'] === token, token(), seen.size], [true, 'two', 1]);
    const [shared, release] = takeClient('/shared', token);
    same(seen.has(shared), true, 'hooks and elements share a client');
    release();
  });

  it('replaces texts, and only if they differ', async () => {
    const { noServer } = commonTexts;
    const renderWith = (text: string, id: string) =>
      render(
        <TidingProvider texts={{ noServer: text }}>
          <Profile data={profile} id={id} />
        </TidingProvider>,
      );
    try {
      renderWith('Nowhere', 'a');
      await drawn();
      same(commonTexts.noServer, 'Nowhere');
      const widget = shown().shadowRoot!.querySelector('[data-widget]');
      renderWith('Nowhere', 'b');
      await waitUntil(() => shown().id === 'b', 'the second render');
      same(shown().shadowRoot!.querySelector('[data-widget]') === widget, true, 'drawn once');
    } finally {
      setTexts({ noServer });
    }
  });

  it('says what is missing when a hook has no server', async () => {
    function See() {
      useClient();
      return null;
    }
    root = createRoot(box, { onCaughtError: () => {} });
    render(
      <Boundary>
        <See />
      </Boundary>,
    );
    await waitUntil(() => box.textContent?.includes('TidingProvider'), 'the error');
  });
});
