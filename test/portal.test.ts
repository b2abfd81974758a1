import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_PORTAL_HISTORY, type PortalChange, portal } from '../elements/portal/bus.ts';

const KEY = Symbol.for('tiding.portals.1');
const by = { by: 'the test' };
const forget = () => delete (globalThis as { [KEY]?: unknown })[KEY];

beforeEach(forget);
afterEach(forget);

describe('a portal', () => {
  it('stores signals by name and column', () => {
    const sales = portal('sales');
    sales.set('selection', { column: 'region', values: ['EU', null] }, by);
    sales.set('selection', { column: 'year', values: [2024] }, by);
    sales.set('range', { column: 'year', from: 2020 }, by);
    sales.set('cluster', { id: 'c1', name: 'Small' }, by);
    sales.set('theme', 'dark', by);
    expect(sales.get('selection', 'region')).toEqual({ column: 'region', values: ['EU', null] });
    expect(sales.get('selection', 'year')).toEqual({ column: 'year', values: [2024] });
    expect(sales.get('selection', 'other')).toBeUndefined();
    expect(sales.get('range', 'year')).toEqual({ column: 'year', from: 2020 });
    expect(sales.get('cluster')).toEqual({ id: 'c1', name: 'Small' });
    expect(sales.get('theme')).toBe('dark');
    expect(sales.signals()).toHaveLength(5);
  });

  it('replaces the signal of a column, and does not notify about the same value', () => {
    const sales = portal('sales');
    const changes: PortalChange[] = [];
    const stop = sales.subscribe((change) => changes.push(change));
    sales.set('selection', { column: 'region', values: ['EU'] }, by);
    sales.set('selection', { column: 'region', values: ['EU'] }, { by: 'another' });
    sales.set('selection', { column: 'region', values: ['US'] }, by);
    stop();
    sales.clear('selection', by);
    expect(changes.map(({ value, before }) => [before, value])).toEqual([
      [null, { column: 'region', values: ['EU'] }],
      [
        { column: 'region', values: ['EU'] },
        { column: 'region', values: ['US'] },
      ],
    ]);
    expect(sales.signals()).toEqual([]);
  });

  it('clears one column, one signal or all', () => {
    const sales = portal('sales');
    const fill = () => {
      sales.set('selection', { column: 'a', values: [1] }, by);
      sales.set('selection', { column: 'b', values: [1] }, by);
      sales.set('range', { column: 'a', to: 1 }, by);
      sales.set('theme', 'dark', by);
    };
    const left = () =>
      sales
        .signals()
        .map(({ signal, value }) => (typeof value === 'object' ? { signal, ...value } : signal));
    fill();
    sales.clear('selection', { ...by, column: 'a' });
    expect(left()).toEqual([
      { signal: 'selection', column: 'b', values: [1] },
      { signal: 'range', column: 'a', to: 1 },
      'theme',
    ]);
    fill();
    sales.clear('selection', by);
    expect(left()).toEqual([{ signal: 'range', column: 'a', to: 1 }, 'theme']);
    sales.clear(undefined, by);
    expect(left()).toEqual([]);
  });

  it('records who changed what, when, and the value before', () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    try {
      const sales = portal('sales');
      const first = { localName: 'tiding-filter', id: 'region' } as Element;
      const second = { localName: 'tiding-filter', id: '' } as Element;
      sales.set('theme', 'dark', { by: 'Portal of the sales team' });
      vi.setSystemTime(1_700_000_000_500);
      sales.set('theme', 'light', { by: first });
      sales.clear('theme', { by: second });
      expect(sales.history()).toEqual([
        {
          portal: 'sales',
          signal: 'theme',
          value: 'dark',
          before: null,
          by: { name: 'Portal of the sales team' },
          at: 1_700_000_000_000,
        },
        {
          portal: 'sales',
          signal: 'theme',
          value: 'light',
          before: 'dark',
          by: { name: 'tiding-filter', id: 'region', element: 1 },
          at: 1_700_000_000_500,
        },
        {
          portal: 'sales',
          signal: 'theme',
          value: null,
          before: 'light',
          by: { name: 'tiding-filter', element: 2 },
          at: 1_700_000_000_500,
        },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keeps a bounded history', () => {
    const sales = portal('sales');
    for (let year = 0; year < MAX_PORTAL_HISTORY + 30; year += 1)
      sales.set('range', { column: 'year', from: year }, by);
    const history = sales.history();
    expect(history).toHaveLength(MAX_PORTAL_HISTORY);
    expect(history[0]!.value).toEqual({ column: 'year', from: 30 });
    expect(history.at(-1)!.value).toEqual({ column: 'year', from: MAX_PORTAL_HISTORY + 29 });
  });

  it('hands out data that nobody can change', () => {
    const sales = portal('sales');
    const values = ['EU'];
    sales.set('selection', { column: 'region', values }, by);
    values.push('US');
    expect(sales.get('selection', 'region')!.values).toEqual(['EU']);
    expect(() => (sales.get('selection', 'region')!.values as string[]).push('US')).toThrow();
    (sales.history() as unknown[]).length = 0;
    expect(sales.history()).toHaveLength(1);
  });

  it('does not share signals with a portal of another name', () => {
    const notified = vi.fn();
    portal('other').subscribe(notified);
    portal('sales').set('theme', 'dark', by);
    expect(portal('other').signals()).toEqual([]);
    expect(notified).not.toHaveBeenCalled();
  });

  it('shares signals between two copies of the module', async () => {
    vi.resetModules();
    const other = await import('../elements/portal/bus.ts');
    expect(other.portal).not.toBe(portal);
    const notified = vi.fn();
    portal('sales').subscribe(notified);
    other.portal('sales').set('selection', { column: 'region', values: ['EU'] }, by);
    expect(portal('sales').get('selection', 'region')!.values).toEqual(['EU']);
    expect(notified).toHaveBeenCalledOnce();
    portal('sales').clear('selection', by);
    expect(other.portal('sales').signals()).toEqual([]);
    expect(other.portal('sales').history()).toHaveLength(2);
    const element = { localName: 'tiding-filter', id: '' } as Element;
    expect(other.portalAuthor(element)).toEqual(
      (await import('../elements/portal/bus.ts')).portalAuthor(element),
    );
  });

  it.each([
    ['selection', {}, 'selection.column must be a text'],
    ['selection', { column: '', values: [1] }, 'selection.column must not be empty'],
    ['selection', { column: 'a', values: [] }, 'selection.values must not be empty'],
    ['selection', { column: 'a', values: [{}] }, 'selection.values.0 must be a text, a finite'],
    ['selection', { column: 'a', values: [Number.NaN] }, 'selection.values.0 must be'],
    ['selection', { column: 'a', values: ['x'], value: 'x' }, 'unknown field value'],
    ['selection', null, 'selection must be { column, values }'],
    ['range', { column: 'a' }, 'range must have a bound'],
    ['range', { column: 'a', from: 3, to: 2 }, 'range must not end before it begins'],
    ['range', { column: 'a', from: '2024-05', to: '2023' }, 'range must not end before it begins'],
    ['range', { column: 'a', from: 3, to: '2024' }, 'two numbers or two times'],
    ['range', { column: 'a', from: 'yesterday' }, 'range.from must be a finite number or a time'],
    ['range', { column: 'a', from: '2024-13-01' }, 'range.from must be a finite number or a time'],
    ['cluster', { name: 'Small' }, 'cluster.id must be a text'],
    ['theme', '', 'theme must not be empty'],
    ['colour', 'red', "'colour' is not a signal. Use one of: selection, range, cluster, theme"],
    ['toString', 'red', "'toString' is not a signal"],
  ])('refuses %s %j', (signal, value, message) => {
    const sales = portal('sales');
    expect(() => sales.set(signal as never, value as never, by)).toThrow(message);
    expect(sales.history()).toEqual([]);
  });

  it('needs a name, and the author of each change', () => {
    expect(() => portal('')).toThrow('A portal needs a name');
    expect(() => portal('sales').set('theme', 'dark', { by: '' })).toThrow('needs `by`');
    expect(() => portal('sales').set('theme', 'dark', {} as never)).toThrow('needs `by`');
  });
});
