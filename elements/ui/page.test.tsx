import { useLayoutEffect, useState } from 'react';
import { mount, press, same, type, waitUntil } from '../result/test-support.tsx';
import { FilterField } from './page.tsx';

describe('the field that filters a list', () => {
  it('keeps keys typed while the list is being filtered', async () => {
    const shown = mount(null, []);
    const filters: string[] = [];
    function List() {
      const [filter, setFilter] = useState('');
      // The filter is committed, but React has not run the passive effects yet.
      useLayoutEffect(() => {
        filters.push(filter);
        if (filter !== '29') return;
        type(shown.find('input'), '');
        setTimeout(() => press(shown.find('input'), 'Enter'));
      }, [filter]);
      return <FilterField label="Filter" value={filter} onValue={setFilter} delay={500} />;
    }
    shown.render(<List />);
    await waitUntil(() => shown.find('input'), 'the field');
    type(shown.find('input'), '29');
    await waitUntil(() => filters.length === 3, 'the second filter');
    same(filters, ['', '29', ''], 'filters');
    same(shown.find<HTMLInputElement>('input').value, '', 'the field');
  });
});
