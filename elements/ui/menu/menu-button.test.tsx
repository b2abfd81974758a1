import { check, mount, same, waitUntil } from '../../result/test-support.tsx';
import { MenuButton, type MenuEntry } from './menu-button.tsx';

describe('menu button', () => {
  it('keeps an entry of an open menu when entries before it appear', async () => {
    const chosen: string[] = [];
    const entry = (label: string): MenuEntry => ({ label, onSelect: () => chosen.push(label) });
    const menuOf = (...labels: string[]) => (
      <MenuButton label="More" entries={() => [...labels.map(entry), 'rule', entry('Remove')]}>
        More
      </MenuButton>
    );
    const view = mount(menuOf('Clone'), []);
    const button = await waitUntil(() => view.find('button'), 'the button');
    button.click();
    const items = () => view.all('[role=menuitem]');
    await waitUntil(() => items().length === 2, 'the menu');
    const remove = items().find((item) => item.textContent === 'Remove')!;
    view.render(menuOf('Clone', 'Export', 'Print'));
    await waitUntil(() => items().length === 4, 'the new entries');
    check(remove.isConnected, 'the entry was replaced');
    same(remove.textContent, 'Remove');
    remove.click();
    await waitUntil(() => chosen.length > 0, 'the choice');
    same(chosen, ['Remove']);
  });
});
