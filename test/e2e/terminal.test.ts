/** A terminal in a paragraph, in the built app, under its own content security policy. */
import type { Note } from '@tiding/client';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const { embedded, watched, page, client } = untilEnd(await startWalk({ shell: true }));

describe('a terminal in a browser', () => {
  let note: Note;
  let terminal: Locator;

  beforeAll(async () => {
    note = untilEnd(await client.open(await client.notes.create({ path: 'Commands' })));
    await note.insert({ text: "%sh.terminal\nPS1='> '; clear" });
    await note.paragraphs[0]!.remove();
    await note.insert({ text: '%md\nafter' });
    await page.goto(`${embedded.server.url}/#/notebook/${note.id}`);
    await page.locator('article').first().waitFor();
    terminal = page.getByRole('region', { name: 'Terminal' });
  });

  const rows = () => terminal.locator('.xterm-rows').innerText();
  const shows = (pattern: RegExp) => expect.poll(rows).toMatch(pattern);
  /** The size that the shell sees, after a change of the view. */
  const shellSize = async (): Promise<[rows: number, columns: number]> => {
    await page.keyboard.type('clear; echo size $(stty size)\n');
    await shows(/^size \d+ \d+/m);
    const [, high, wide] = /^size (\d+) (\d+)/m.exec(await rows())!;
    return [Number(high), Number(wide)];
  };

  it('runs, takes what is typed, and tells the shell its size', async () => {
    await page.locator('article').first().getByRole('button', { name: /^Run/ }).first().click();
    await shows(/^> /m);
    await terminal.click();
    await page.keyboard.type('echo $((6*7))\n');
    await shows(/^42/m);
    const [high, wide] = await shellSize();
    expect(wide).toBeGreaterThan(90);
    expect(high).toBeGreaterThan(8);
    // On a narrow page, the panel would cover the note.
    await page.getByRole('button', { name: 'Notes and outline' }).click();
    await terminal.click();
    const columns = () => expect.poll(async () => (await shellSize())[1]);
    await columns().toBeGreaterThan(wide);
    await page.setViewportSize({ width: 390, height: 844 });
    await columns().toBeLessThan(50);
    await page.setViewportSize({ width: 1440, height: 900 });
    await columns().toBeGreaterThan(wide);
  });

  it('shows all colours under the policy of the page, in both themes', async () => {
    await page.keyboard.type(
      "clear; printf '\\e[31mred\\e[0m \\e[1;32mbold\\e[0m \\e[44mblue\\e[0m " +
        "\\e[38;2;200;0;100mtrue\\e[0m \\e[7minverse\\e[0m\\n'\n",
    );
    const cell = terminal.locator('.xterm-rows span', { hasText: /^true$/ });
    await cell.waitFor();
    const color = () => cell.evaluate((element) => getComputedStyle(element).color);
    expect(await color()).toBe('rgb(200, 0, 100)');
    const background = () =>
      terminal
        .locator('.xterm-scrollable-element')
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe(light);
  });

  it('is entered with Enter and left with Escape and Tab', async () => {
    const focused = () =>
      page.evaluate(() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.className ?? '';
      });
    await terminal.click();
    await expect.poll(focused).toContain('xterm-helper-textarea');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('xterm-helper-textarea');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect.poll(focused).not.toContain('xterm');
    await terminal.focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toContain('xterm-helper-textarea');
    await page.keyboard.press('Control+c');
  });

  it('shows the same screen after a reload, and ends when it is cancelled', async () => {
    await page.keyboard.type('clear; echo kept $((40+2))\n');
    await shows(/^kept 42/m);
    await page.reload();
    await shows(/^kept 42/m);
    await terminal.click();
    await page.keyboard.type('echo still $((41+1))\n');
    await shows(/^still 42/m);
    await page
      .getByRole('button', { name: /^Cancel/ })
      .first()
      .click();
    await expect.poll(() => note.paragraphs[0]!.state.server.status).toBe('ABORT');
    await page.getByText('Click or press Enter to type.').waitFor({ state: 'detached' });
    await page.reload();
    await shows(/^still 42/m);
    expect(watched.complaints).toEqual([]);
  });
});
