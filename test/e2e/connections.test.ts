/** The page of connections, with a database that is away. */
import { describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, startWalk } from '../support/walk.ts';

const { watched, page, client } = untilEnd(await startWalk());

describe.skipIf(inFront)('the page of connections', () => {
  // Nothing listens on this port. One that was free a moment ago may be in use.
  const port = 9;

  it('opens from the navigation and says what to do', async () => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('menuitem', { name: 'Connections' }).click();
    await page.getByText('There are no connections yet').waitFor();
    expect(new URL(page.url()).hash).toBe('#/connections');
    expect(await accessibilityFindings(page, 'no connections')).toEqual([]);
  });

  it('tests a new connection, keeps what is typed, and creates it', async () => {
    await page.getByRole('button', { name: 'New connection' }).click();
    const form = page.getByRole('form', { name: 'New connection' });
    await form.getByLabel('Name', { exact: true }).fill('sales');
    await form.getByLabel('Host', { exact: true }).fill('127.0.0.1');
    await form.getByLabel('Port', { exact: true }).fill(String(port));
    await form.getByLabel('User', { exact: true }).fill('reader');
    await form.getByLabel('Password', { exact: true }).fill('only-for-tests');
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByText(`The database at 127.0.0.1:${port} can't be reached`).waitFor();
    expect(await accessibilityFindings(page, 'a new connection')).toEqual([]);
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: '%sales' }).waitFor();
    await page.locator('.connection-problem').getByText('(ECONNREFUSED)').waitFor();
    await expect
      .poll(() =>
        page.getByRole('button', { name: 'New connection' }).evaluate((one) => {
          return one === (one.getRootNode() as ShadowRoot).activeElement;
        }),
      )
      .toBe(true);
    expect(await client.interpreters.get('sales')).toMatchObject({
      group: 'postgresql',
      option: { perNote: 'scoped', perUser: 'isolated' },
      properties: { password: { value: '********' }, readOnly: { value: 'true' } },
    });
    expect(await accessibilityFindings(page, 'a connection that is away')).toEqual([]);
  });

  it('says why its tables can’t be read, also on a narrow screen', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Browse the tables of sales' }).click();
    await page.locator('.explorer').getByText('(ECONNREFUSED)').waitFor();
    expect(await accessibilityFindings(page, 'tables that can’t be read')).toEqual([]);
    // The browser logs the rejected request.
    expect(watched.complaints.filter((line) => !/status of 502/.test(line))).toEqual([]);
  });
});
