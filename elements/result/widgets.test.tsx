import { envelopeHtml } from '@tiding/client/widgets';
import customer from '../../test/fixtures/widgets/customer.json';
import { HostContext } from '../runtime/hooks.ts';
import { strictPage } from '../ui/testing/test-setup.ts';
import { resultSheets } from './index.ts';
import { output, Result } from './test-outputs.tsx';
import { check, type Mounted, mount, same, waitUntil } from './test-support.tsx';

describe('a result that contains a widget', () => {
  strictPage();
  let shown: Mounted;
  const show = (data: string): void => {
    shown = mount(null, resultSheets);
    shown.render(
      <HostContext value={shown.host}>
        <Result outputs={[output('HTML', data)]} title="Report" />
      </HostContext>,
    );
  };
  const said = (words: string) => waitUntil(() => shown.root.textContent!.includes(words), words);

  it('is shown in the page without a frame, and its HTML is not rendered [O3]', async () => {
    show(
      envelopeHtml('customer', {
        ...customer,
        customer: { name: '</script><img src=x onerror=alert(1)>' },
      }),
    );
    await said('skyline_prod');
    await said('<img src=x onerror=alert(1)>');
    same(shown.root.querySelectorAll('iframe, img, script').length, 0);
  });

  it('lists problems in the payload and names unknown widgets [O3]', async () => {
    show(envelopeHtml('customer', { customer: { name: 7 }, organizations: [{ name: 'solo' }] }));
    await said('This payload has 1 problem.');
    await said('solo');
    shown.remove();
    show(
      '<tiding-widget><script type="application/json">{"widget":"nest","version":9,"data":{}}' +
        '</script></tiding-widget>',
    );
    await said('There is no widget named nest.');
  });

  it('is treated as plain HTML if it contains anything else', async () => {
    show(`<p>x</p>${envelopeHtml('customer', customer)}`);
    await waitUntil(() => shown.root.textContent!.trim() !== '', 'something');
    check(!shown.root.textContent!.includes('skyline_prod'), shown.root.textContent!);
  });
});
