/** ipywidgets in the browser: their state in two pages, interactions, and the end of the kernel. */

import { type Note, outputText } from '@tiding/client';
import type { FrameLocator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../support/until-end.ts';
import { noteOf, startWalk, type Walk } from '../support/walk.ts';

const controls = `%python
import ipywidgets as w
slider = w.IntSlider(value=3, max=10, description='Count')
copy = w.IntText(description='Copy')
link = w.jslink((slider, 'value'), (copy, 'value'))
kind = w.Dropdown(options=['round', 'square'], description='Kind')
name = w.Text(description='Name')
check = w.Checkbox(description='Ready')
out = w.Output()
button = w.Button(description='Press')
def press(_):
    with out:
        print('pressed at', slider.value)
    print('outside at', slider.value)
button.on_click(press)
w.VBox([w.HBox([slider, copy]), kind, name, check, button, out])`;

const plot = `%python
import matplotlib.pyplot as plt
@w.interact(power=(1, 5))
def draw(power=2):
    print('power', power)
    plt.figure(figsize=(4, 2))
    plt.plot([x ** power for x in range(5)])
    plt.show()`;

/** Runs only under `npm run test:engines`, because it downloads ipywidgets. */
describe.skipIf(!process.env['TIDING_TEST_DOWNLOADS'])('ipywidgets on the page', () => {
  let walk: Walk;
  let note: Note;

  beforeAll(async () => {
    walk = untilEnd(await startWalk());
    const { interpreters } = walk.client;
    const { id } = (await interpreters.list()).find(({ name: each }) => each === 'python')!;
    await interpreters.update(id, { dependencies: [{ groupArtifactVersion: 'ipywidgets>=8,<9' }] });
    note = untilEnd(
      await noteOf(walk.client, 'widgets/Controls', [
        controls,
        '%python\nslider.value, kind.value, name.value, check.value, out.outputs[-1]["text"]',
        plot,
        '%python\nw.IntSlider(description="Alone")',
      ]),
    );
    await walk.page.goto(address());
  }, 300_000);

  const address = () => `${walk.embedded.server.url}/#/notebook/${note.id}`;
  const article = (index: number, page: Page = walk.page) => page.locator('article').nth(index);
  const frame = (index: number, page: Page = walk.page): FrameLocator =>
    article(index, page).frameLocator('iframe');
  const run = async (index: number) => {
    const result = await note.paragraphs[index]!.run();
    expect([result.status, result.error]).toEqual(['FINISHED', undefined]);
    await article(index).scrollIntoViewIfNeeded();
    return result;
  };
  const slider = (page?: Page) => frame(0, page).locator('.noUi-handle').first();
  const copied = (page?: Page) => frame(0, page).getByLabel('Copy');

  it('shows controls, which links connect, and their values in Python', async () => {
    await run(0);
    await slider().waitFor();
    await slider().press('ArrowRight');
    await expect.poll(() => copied().inputValue()).toBe('4');
    await frame(0).getByLabel('Kind').selectOption('square');
    await frame(0).getByLabel('Name').fill('Ada');
    await frame(0).getByLabel('Ready').check();
    await frame(0).getByRole('button', { name: 'Press' }).click();
    await frame(0).getByText('pressed at 4').waitFor();
    const { outputs } = await run(1);
    expect(outputs.map(outputText).join('')).toContain(
      "(4, 'square', 'Ada', True, 'pressed at 4\\n')",
    );
  });

  it('keeps what a callback prints, below the widget and in the note', async () => {
    await article(0).getByText('outside at 4').waitFor();
    await expect
      .poll(() => note.paragraphs[0]!.outputs.map(outputText).join('\n'))
      .toContain('outside at 4');
  });

  it('has the same state in two pages, and after a reload', async () => {
    const other = await walk.browser.newContext();
    const page = await other.newPage();
    await page.goto(walk.embedded.server.loginLink());
    await page.getByRole('button', { name: 'Import' }).waitFor();
    await page.goto(address());
    await expect.poll(() => copied(page).inputValue()).toBe('4');
    await frame(0, page).getByText('pressed at 4').waitFor();
    await slider(page).press('ArrowRight');
    await expect.poll(() => copied().inputValue()).toBe('5');
    await slider().press('ArrowRight');
    await expect.poll(() => copied(page).inputValue()).toBe('6');
    await page.reload();
    await expect.poll(() => copied(page).inputValue()).toBe('6');
    await other.close();
  });

  it('draws the plot of interact again when its slider moves', async () => {
    await run(2);
    const image = frame(2).locator('.output-widget img');
    await frame(2).getByText('power 2').waitFor();
    const before = await image.getAttribute('src');
    await frame(2).locator('.noUi-handle').press('ArrowRight');
    await frame(2).getByText('power 3').waitFor();
    await expect.poll(() => image.getAttribute('src')).not.toBe(before);
    expect(await image.count()).toBe(1);
    await article(2).scrollIntoViewIfNeeded();
  });

  it('says when the kernel has ended, and shows the last state', async () => {
    await run(3);
    await frame(3).locator('.noUi-handle').waitFor();
    await walk.client.interpreters.restart('python', note.id);
    const ended = 'The kernel that this widget belongs to has ended. Run the paragraph again';
    await article(3).getByText(ended).waitFor();
    await walk.page.reload();
    await article(3).scrollIntoViewIfNeeded();
    await article(3).getByText(ended).waitFor();
    await frame(3).locator('.noUi-handle').waitFor();
    expect(await frame(3).locator('body').getAttribute('inert')).toBe('');
  });
});
