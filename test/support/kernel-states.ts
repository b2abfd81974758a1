/** The states of the list of kernels on the page of interpreters. */
import type { KernelList } from '@tiding/client/protocol';
import type { Page } from 'playwright-core';
import type { Visit } from './states.ts';

/** The list of kernels, with and without any. In front of a Zeppelin there is none. */
export async function walkKernels(page: Page, visit: Visit): Promise<void> {
  const kernels = page.locator('tiding-interpreters .kernels');
  if ((await kernels.count()) === 0) return;
  const again = kernels.locator('.kernels-head .button');
  const answer = async (body: KernelList) => {
    await page.route(/\/interpreter\/kernel$/, (route) =>
      route.fulfill({ json: { status: 'OK', body } }),
    );
    await again.click();
  };
  const place = '/opt/kernels';
  await answer({
    kernels: [
      { name: 'ir', displayName: 'R', language: 'R', version: '4.5', magics: ['%ir', '%r'], place },
      { name: 'zsh', displayName: 'Z shell', language: 'zsh', magics: [], place },
      { name: 'far', displayName: 'Far', magics: ['%far(kernel=far)'], place, remote: true },
    ],
    problems: [{ place, reason: 'argv must be a list.' }],
    folders: [place],
  });
  await kernels.locator('.kernel-commands').first().waitFor();
  await visit('kernels');
  await page.unroute(/\/interpreter\/kernel$/);
  await answer({ kernels: [], problems: [], folders: [place] });
  await kernels.locator('.kernel-place').first().waitFor({ state: 'detached' });
  await visit('no kernels');
  await page.unroute(/\/interpreter\/kernel$/);
}
