/** Fixture of page tests: the page's element, in front of calls that the test answers. */
import type { Client } from '@tiding/client';
import { elementClass } from '../../element-class.ts';
import { same, waitUntil } from '../../result/test-support.tsx';
import type { ElementSpec } from '../../runtime/define-element.ts';
import { type RestClient, refusal, restClient, type StubAnswer } from './test-rest.ts';

const labelOf = (element: HTMLElement) => element.ariaLabel ?? element.textContent;

/** Defines an element, opens it in each test and removes it afterwards. */
export function testPage<Properties extends object = object>(spec: ElementSpec) {
  type Shown = HTMLElement & { client: Client } & Properties;
  let shown: Shown | undefined;
  let server: RestClient | undefined;
  const close = (): void => {
    shown?.remove();
    shown?.client.close();
  };
  before(() => customElements.define(spec.tag, elementClass(spec)));
  afterEach(close);

  const root = () => shown!.shadowRoot!;
  const all = <Found extends HTMLElement = HTMLElement>(selector: string) => [
    ...root().querySelectorAll<Found>(selector),
  ];
  const one = <Found extends HTMLElement = HTMLElement>(selector: string) => {
    const [first] = all<Found>(selector);
    if (!first) throw new Error(`nothing matches ${selector}`);
    return first;
  };
  const button = (label: string) =>
    all<HTMLButtonElement>('button:not([aria-hidden=true] *)').find(
      (each) => labelOf(each) === label,
    );
  const inDialog = (label: string) =>
    all<HTMLButtonElement>(':is([role=dialog], [role=alertdialog]) button').find(
      (each) => labelOf(each) === label,
    );
  const toasts = () => all('.toast .dialog-text').map(({ textContent }) => textContent);
  const words = (selector?: string) =>
    (selector === undefined ? root() : root().querySelector(selector))?.textContent ?? '';
  /** Opens the element with a client and waits until `ready`, if any, matches. */
  async function show(
    client: Client,
    properties: Partial<Properties>,
    ready: string | null,
  ): Promise<void> {
    shown = document.createElement(spec.tag) as Shown;
    Object.assign(shown, { client, ...properties });
    document.body.append(shown);
    if (ready !== null) await waitUntil(() => root().querySelector(ready), ready);
  }
  const page = {
    root,
    all,
    one,
    words,
    button,
    inDialog,
    toasts,
    close,
    get shown() {
      return shown!;
    },
    get server() {
      return server!;
    },
    /** Method, path and body of the calls that were not `GET`. */
    sent: (method?: string) =>
      server!.calls
        .filter((call) => (method === undefined ? call.method !== 'GET' : call.method === method))
        .map((call) => [call.method, call.path, call.body]),
    click: async (label: string) =>
      (await waitUntil(() => button(label), `the button '${label}'`)).click(),
    confirm: async (label: string) =>
      (await waitUntil(() => inDialog(label), `'${label}' in the dialog`)).click(),
    field: (label: string) =>
      waitUntil(
        () =>
          all<HTMLInputElement>('input').find(
            (each) =>
              (each.ariaLabel ?? each.closest('.field')?.querySelector('.label')?.textContent) ===
              label,
          ),
        `the field '${label}'`,
      ),
    textShown: (text: string, selector?: string) =>
      waitUntil(() => words(selector).includes(text), `'${text}'`),
    toastShown: (message: string) =>
      waitUntil(
        () => toasts().includes(message),
        `'${message}', instead of ${JSON.stringify(toasts())}`,
      ),
    show,
    /** Opens the element and waits until `ready`, if any, matches and nothing is loading. */
    async open(
      answer: StubAnswer,
      {
        ready = '.page-head',
        ...properties
      }: {
        ready?: string | null;
        rest?: Parameters<typeof restClient>[1];
      } & Partial<Properties> = {},
    ): Promise<void> {
      const { rest, ...own } = properties;
      server = restClient(answer, rest);
      await show(server.client, own as unknown as Properties, ready);
      if (ready !== null)
        await waitUntil(() => !root().querySelector('.element-loading'), 'the content');
    },
    /** Tests that users without permission read the reason and are redirected to home. */
    refusesWith(title: string, open: (refused: Response) => Promise<void>): void {
      for (const status of [401, 403])
        it(`${status}: ${title}`, async () => {
          const home = new Promise((resolve) =>
            document.addEventListener('tiding-home-wanted', resolve, { once: true }),
          );
          await open(refusal(status, 'no'));
          const refusalText = 'You do not have permission on this page';
          await waitUntil(() => words('[role=alert]') === refusalText, 'the refusal');
          same(all('.page-head button'), []);
          await home;
        });
    },
  };
  return page;
}
