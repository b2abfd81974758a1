/** Diagrams of Mermaid in Markdown: drawn in a frame, and not loaded without one. */
import { describe, expect, it } from 'vitest';
import { showNote } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const FENCE = '```';
const block = (source: string) => `${FENCE}mermaid\n${source}\n${FENCE}`;

const { embedded, watched, page, client } = untilEnd(await startWalk());

describe('diagrams in Markdown', () => {
  /** Creates and runs a note with one paragraph, and shows it. Returns what the page requested. */
  async function show(path: string, text: string): Promise<string[]> {
    const id = await client.notes.create({ path });
    const note = await client.open(id);
    const paragraph = note.paragraphs[0]!;
    paragraph.edit(`%md\n${text}`);
    await paragraph.run();
    note.close();
    const requests: string[] = [];
    const listener = (request: { url(): string }) => void requests.push(request.url());
    page.on('request', listener);
    await showNote(page, embedded.server.url, id);
    await page.locator('article .prose').first().waitFor();
    page.off('request', listener);
    return requests;
  }

  it('are drawn in a frame, in the colours of the theme', async () => {
    const flow =
      'flowchart LR\n  shop[Shop] --> queue[(Queue)] --> report{Report?}\n  report -- yes --> mail';
    const sequence = 'sequenceDiagram\n  Client->>Server: ping\n  Server-->>Client: pong';
    await show('diagrams/flow', `# Orders\n\n${block(flow)}\n\nand\n\n${block(sequence)}\n`);
    const frames = page.locator('article .diagram iframe');
    await expect.poll(() => frames.count()).toBe(2);
    const [first, second] = [frames.nth(0), frames.nth(1)].map((each) => each.contentFrame());
    await first!.locator('svg').waitFor();
    await second!.locator('svg').waitFor();
    expect(await first!.locator('svg').textContent()).toContain('Shop');
    await expect.poll(async () => (await frames.nth(0).boundingBox())!.height).toBeGreaterThan(60);
    const fill = () =>
      first!
        .locator('svg .node rect')
        .first()
        .evaluate((element) => getComputedStyle(element).fill);
    const light = await fill();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(fill).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(watched.complaints).toEqual([]);
  });

  it('with an error show their source and the reason', async () => {
    await show('diagrams/error', block('flowchart LR\n  a --> [b'));
    await page.getByText(/^This diagram has an error: Parse error/).waitFor();
    const frame = page.locator('article .diagram iframe').contentFrame();
    await expect.poll(() => frame.locator('pre').textContent()).toContain('a --> [b');
    expect(watched.complaints).toEqual([]);
  });

  it('can run no script of the note and load nothing', async () => {
    await show(
      'diagrams/script',
      block(
        `flowchart LR\n  a["<img src=x onerror=parent.postMessage('bad','*')>"] --> b\n` +
          '  click b href "javascript:alert(1)"',
      ),
    );
    const frame = page.locator('article .diagram iframe').contentFrame();
    await frame.locator('svg').waitFor();
    expect(await frame.locator('svg img[onerror], svg a[href^="javascript"]').count()).toBe(0);
    watched.complaints.splice(0);
  });

  it('load nothing where there is none', async () => {
    const requests = await show('diagrams/none', `${FENCE}sql\nselect 1\n${FENCE}`);
    expect(requests.filter((url) => /mermaid|diagram/.test(url))).toEqual([]);
    expect(await page.locator('article .diagram').count()).toBe(0);
  });
});
