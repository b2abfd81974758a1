import type { Client } from '@tiding/client';
import type { MemoryServer, memoryServer } from '@tiding/client/testing';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { testPage } from '../ui/testing/test-page.ts';
import { restClient } from '../ui/testing/test-rest.ts';
import { notebook } from './notebook.tsx';

const mayNotRun = 'You may view this note but not run it. Ask an owner to add you to its runners.';
const mayNotChange = 'You may not change this note. Ask an owner to add you to its writers.';
const onlyOwners = 'Only owners of this note may do this.';

describe('a note shows what the user may do', () => {
  const page = testPage<{ note: string }>(notebook);
  const { all } = page;
  let client: Client;
  let memory: MemoryServer;
  const button = (name: string) => page.button(name)!;
  const wholeMenu = async () => {
    button('More').click();
    await waitUntil(() => all('[role=menu] [role^=menuitem]').length > 5, 'the menu');
    const entries = all('[role=menu] [role^=menuitem]').map((entry) => ({
      label: entry.textContent!,
      isOff: entry.hasAttribute('data-disabled'),
      title: entry.title,
    }));
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    return (label: string) => entries.find((entry) => entry.label.startsWith(label));
  };
  const sent = () => memory.frames.map(({ op }) => op);

  const open = async (lists: { writers?: string[]; runners?: string[] }): Promise<void> => {
    const made = restClient(() => undefined, {
      users: { ann: 'a', bob: 'b' },
      notes: [
        {
          id: 'note',
          path: 'folder/note',
          owner: 'ann',
          paragraphs: [
            {
              text: '%text ${name=world}',
              title: 'Head',
              status: 'FINISHED',
              config: { title: true },
              results: {
                code: 'SUCCESS',
                msg: [{ type: 'TABLE', data: 'a\tb\nx\t1\ny\t2\n' }],
              },
              settings: {
                params: {},
                forms: { name: { name: 'name', type: 'TextBox', defaultValue: 'world' } },
              },
            },
          ],
        },
      ],
    } as Parameters<typeof memoryServer>[0]);
    ({ client, memory } = made);
    await client.session.login('ann', 'a');
    const note = await client.open('note');
    await note.setPermissions({
      owners: ['ann'],
      readers: ['ann', 'bob'],
      runners: ['ann', ...(lists.runners ?? [])],
      writers: ['ann', ...(lists.writers ?? [])],
    });
    note.close();
    await client.session.logout();
    await client.session.login('bob', 'b');
    await page.show(client, { note: 'note' }, 'article .run');
  };

  it('to readers: nothing that runs or changes it', async () => {
    await open({});
    await waitUntil(() => button('Run all').disabled, 'Run all off');
    same(button('Run all').title, mayNotRun);
    same(all('article .run')[0]!.getAttribute('aria-description'), mayNotRun);
    check(all('article .run')[0]!.matches(':disabled'), 'a paragraph can be run');
    for (const off of all('.add-bar button'))
      same([off.matches(':disabled'), off.title], [true, mayNotChange], off.textContent!);
    same(all('.note-name button')[0]!.getAttribute('aria-description'), onlyOwners);
    check(all('.note-name button')[0]!.matches(':disabled'), 'the note can be renamed');
    check(all('h2.paragraph-title button')[0]!.matches(':disabled'), 'the title can be changed');
    check(all('[role=textbox][aria-readonly=true]').length > 0, 'the editor is not read-only');
    const code = all('[role=textbox][aria-readonly=true]')[0]!;
    same(code.getAttribute('aria-description'), mayNotChange);
    code.focus();
    for (const type of ['pointermove', 'pointerdown', 'pointerup', 'click'])
      code.dispatchEvent(new PointerEvent(type, { bubbles: true, composed: true, button: 0 }));
    code.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true, composed: true }));
    await frames();
    same([all('.cm-editor').length, all('.code-closed').length > 0], [0, true], 'an editor opened');
    await waitUntil(() => all('.forms input').length > 0, 'the form');
    check(
      all('.forms input').every((field) => field.matches('[readonly]')),
      'a form can be filled in',
    );
    check(!button('Drag to move'), 'there is a grip');
    check(all('.note-bar')[0]!.textContent!.includes('View only'), 'the bar does not say it');
    const entry = await wholeMenu();
    same(entry('Move this note to trash'), {
      label: 'Move this note to trash',
      isOff: true,
      title: onlyOwners,
    });
    same(entry('Clear all output'), {
      label: 'Clear all output',
      isOff: true,
      title: mayNotChange,
    });
    same(entry('Switch to personal mode')?.isOff, true);
    same(entry('Clone this note')?.isOff, false);
  });

  it('to readers: charts and hidden code change on this page only', async () => {
    await open({});
    await waitUntil(() => button('Run all').disabled, 'Run all off');
    button('Hide editor').click();
    await waitUntil(() => button('Show editor'), 'the hidden code');
    (await waitUntil(() => button('Bar Chart'), 'the views')).click();
    await waitUntil(() => button('Bar Chart').getAttribute('aria-checked') === 'true', 'the chart');
    await frames();
    check(!sent().includes('COMMIT_PARAGRAPH'), 'a change was sent');
    same(all('.toast').length, 0);
  });

  it('to readers: a shortcut that they may not use says why', async () => {
    await open({});
    await waitUntil(() => button('Run all').disabled, 'Run all off');
    const article = all('article')[0]!;
    article.focus();
    article.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: 'Enter',
        code: 'Enter',
        shiftKey: true,
        bubbles: true,
        composed: true,
      }),
    );
    await waitUntil(
      () => all('.toast').some((toast) => toast.textContent!.includes(mayNotRun)),
      'why',
    );
    check(!sent().includes('RUN_PARAGRAPH'), 'the paragraph was run');
  });

  it('to runners: they run it with values of their own, and change nothing', async () => {
    await open({ runners: ['bob'] });
    await waitUntil(() => all('.add-bar button').every((each) => each.matches(':disabled')), 'off');
    check(!button('Run all').disabled, 'the note can not be run');
    check(all('.note-bar')[0]!.textContent!.includes('Run only'), 'the bar does not say it');
    same((await wholeMenu())('Clear all output')?.isOff, true);
    const field = (await waitUntil(() => all('.forms input')[0], 'the form')) as HTMLInputElement;
    check(!field.readOnly, 'the form is off');
    (all('article .run')[0] as HTMLButtonElement).click();
    await waitUntil(() => sent().includes('RUN_PARAGRAPH'), 'the run');
    await waitUntil(() => all('article')[0]!.dataset['status'] === 'FINISHED', 'the end');
    check(!sent().includes('COMMIT_PARAGRAPH'), 'a change was sent');
    same(all('.toast').length, 0);
  });

  it('to writers: everything but what is for owners', async () => {
    await open({ writers: ['bob'] });
    await waitUntil(() => all('.note-name button')[0]!.matches(':disabled'), 'no renaming');
    check(!button('Run all').disabled, 'the note can not be run');
    check(
      all('.add-bar button').every((each) => !each.matches(':disabled')),
      'no paragraph can be added',
    );
    check(all('[role=textbox][aria-readonly=true]').length === 0, 'the editor is read-only');
    button('More').click();
    (
      await waitUntil(
        () => all('[role^=menuitem]').find((each) => each.textContent === 'Note Permissions'),
        'the menu',
      )
    ).click();
    const save = await waitUntil(() => button('Save permissions'), 'the panel');
    same([save.disabled, save.title], [true, onlyOwners]);
    // The fields look like the other disabled fields, and names can't be removed.
    const paint = (field: HTMLElement) => getComputedStyle(field).backgroundColor;
    const fields = all('.panel-form .input');
    await waitUntil(() => all('.forms .input').length > 0, 'the form');
    same(fields.length, 4);
    check(
      fields.every((field) => paint(field) !== paint(all('.forms .input')[0]!)),
      'a field looks editable',
    );
    check(all('.panel-form .chip').length > 0, 'no names');
    same(all('.panel-form .chip-remove').length, 0);
  });
});
