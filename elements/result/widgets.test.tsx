import { envelopeHtml } from 'tiding/widgets';
import type { Output } from 'tiding/client';
import customer from '../../test/fixtures/widgets/customer.json';
import { HostContext } from '../runtime/hooks.ts';
import { ResultView, resultSheets } from './index.ts';
import { check, mount, same, strictPolicy, until, type Mounted } from './test-kit.tsx';

const html = (data: string): Output => ({ type: 'HTML', chunks: [data], count: 1 });

describe('a result that carries a widget', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  const show = (data: string): void => {
    shown = mount(null, resultSheets);
    shown.render(
      <HostContext value={shown.host}>
        <ResultView outputs={[html(data)]} status="FINISHED" frameUrl="" title="Report" />
      </HostContext>,
    );
  };
  const said = (words: string) => until(() => shown.root.textContent!.includes(words), words);
  afterEach(() => shown.remove());
  after(() => same(violations, [], 'page policy'));

  it('is drawn in the page, without a frame, and its markup is not run', async () => {
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

  it('says what is wrong in its payload, and which widget is not known', async () => {
    show(envelopeHtml('customer', { customer: { name: 7 }, organizations: [{ name: 'solo' }] }));
    await said('One thing in this payload is not as it should be.');
    await said('solo');
    shown.remove();
    show(
      '<tiding-widget><script type="application/json">{"widget":"nest","version":9,"data":{}}</script></tiding-widget>',
    );
    await said('There is no widget nest.');
  });

  it('is HTML like any other where something stands beside it', async () => {
    show(`<p>x</p>${envelopeHtml('customer', customer)}`);
    await until(() => shown.root.textContent!.trim() !== '', 'something');
    check(!shown.root.textContent!.includes('skyline_prod'), shown.root.textContent!);
  });
});
