import { lazy, Suspense } from 'react';
import { type Mounted, mount, same, waitUntil } from '../result/test-support.tsx';
import { CodeBoundary, lazyCode } from './lazy-code.tsx';

describe('code that loads when it is rendered', () => {
  let shown: Mounted | undefined;

  it('is shown before the content of boundaries that wait for their turn', async () => {
    let give: (() => void) | undefined;
    const arrival = new Promise<void>((done) => (give = done));
    const part = (name: string) => async () => {
      await arrival;
      return { default: () => <p>{name}</p> };
    };
    const Plain = lazy(part('plain'));
    const Part = lazyCode(part('part'));
    shown = mount(
      <>
        <Suspense fallback={<i />}>
          <Plain />
        </Suspense>
        <CodeBoundary fallback={<i />}>
          <Part />
        </CodeBoundary>
      </>,
      [],
    );
    const { find, root } = shown;
    await waitUntil(() => find('i + i'), 'both fallbacks');
    const order: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) if (node.nodeName === 'P') order.push(node.textContent!);
    });
    observer.observe(root, { subtree: true, childList: true });
    give!();
    await waitUntil(() => order.length === 2, 'both parts');
    observer.disconnect();
    same(order, ['part', 'plain']);
  });
});
