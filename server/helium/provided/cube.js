const number = (value) =>
  value === undefined || value === null || value === '' || isNaN(value) ? 1 : parseFloat(value);
const aggregate = {
  sum: (a, b) => a + number(b),
  avg: (a, b) => a + number(b),
  count: (a) => a + 1,
  min: (a, b) => Math.min(a, number(b)),
  max: (a, b) => Math.max(a, number(b)),
};
const nameOf = (row, columns) => columns.map((column) => String(row[column.index])).join('.');
const sorted = (names) =>
  [...names].sort(
    names.every((name) => name.trim() !== '' && isFinite(name)) ? (a, b) => a - b : undefined,
  );
const called = (column) => column.name + '(' + (column.aggr || 'sum') + ')';

/** Aggregates rows into cells by key, group and aggregated column, with sorted names. */
export function cubeOf(rows, keys, groups, aggregators) {
  const cells = new Map();
  const groupNames = new Set();
  const cell = (key, group, column) => {
    if (!cells.has(key)) cells.set(key, new Map());
    const byGroup = cells.get(key);
    if (!byGroup.has(group)) byGroup.set(group, new Map());
    return byGroup.get(group);
  };
  for (const row of rows) {
    const key = nameOf(row, keys);
    const group = groups.length > 0 ? nameOf(row, groups) : undefined;
    if (group !== undefined) groupNames.add(group);
    for (const column of aggregators) {
      const at = cell(key, group, column);
      const name = called(column);
      const before = at.get(name);
      const value = row[column.index];
      const aggr = column.aggr || 'sum';
      at.set(
        name,
        before
          ? { value: aggregate[aggr](before.value, value), count: before.count + 1, aggr }
          : { value: aggr === 'count' ? 1 : number(value), count: 1, aggr },
      );
    }
  }
  return { cells, keyNames: sorted([...cells.keys()]), groupNames: sorted([...groupNames]) };
}
export const valueOf = (cell) =>
  cell === undefined ? null : cell.aggr === 'avg' ? cell.value / cell.count : cell.value;

/** Returns the names of series and the cells they consist of. */
export function selectorsOf(groupNames, groups, aggregators) {
  if (groups.length === 0)
    return aggregators.map((column) => ({
      selector: called(column),
      group: undefined,
      name: called(column),
    }));
  return groupNames.flatMap((group) =>
    aggregators.map((column) => ({
      selector: aggregators.length > 1 ? group + ' / ' + called(column) : group,
      group,
      name: called(column),
    })),
  );
}
const at = (cells, key, { group, name }) => valueOf(cells.get(key)?.get(group)?.get(name));

export const methods = {
  object: ({ rows, keys, groups, aggregators, base }) => {
    const { cells, keyNames, groupNames } = cubeOf(rows, keys, groups, aggregators);
    const series = selectorsOf(groupNames, groups, aggregators);
    const made = keyNames.map((key) => {
      const row = { [base.keyColumnName]: key };
      for (const one of series) {
        const value = at(cells, key, one);
        if (value !== null) row[one.selector] = value;
      }
      return row;
    });
    return {
      ...base,
      rows: made,
      keyNames,
      groupNames,
      selectors: series.map(({ selector }) => selector),
    };
  },
  array: ({ rows, keys, groups, aggregators, base }) => {
    const { cells, keyNames, groupNames } = cubeOf(rows, keys, groups, aggregators);
    const series = selectorsOf(groupNames, groups, aggregators);
    const made = series.map((one) => ({
      selector: one.selector,
      value: keyNames.map((key) => at(cells, key, one)),
    }));
    return {
      ...base,
      rows: made,
      keyNames,
      groupNames,
      selectors: series.map(({ selector }) => selector),
    };
  },
  'array:2-key': ({ rows, keyAxes, groups, aggregators, base }) => {
    const [first = [], second = []] = keyAxes;
    const pairs = new Map();
    const key1 = new Set();
    const key2 = new Set();
    for (const row of rows) {
      const pair = [nameOf(row, first), nameOf(row, second)];
      key1.add(pair[0]);
      key2.add(pair[1]);
      const id = JSON.stringify(pair);
      if (!pairs.has(id)) pairs.set(id, { pair, rows: [] });
      pairs.get(id).rows.push(row);
    }
    const groupNames =
      groups.length > 0 ? sorted([...new Set(rows.map((row) => nameOf(row, groups)))]) : [];
    const series = selectorsOf(groupNames, groups, aggregators);
    const cubes = [...pairs.values()].map(({ pair, rows: own }) => ({
      pair,
      cells: cubeOf(own, [], groups, aggregators).cells,
    }));
    const made = series.map((one) => ({
      selector: one.selector,
      value: cubes.flatMap(({ pair, cells }) => {
        const aggregated = at(cells, '', one);
        return aggregated === null ? [] : [{ key1: pair[0], key2: pair[1], aggregated }];
      }),
    }));
    const indexed = (names) => Object.fromEntries(names.map((name, index) => [name, index]));
    const [key1Names, key2Names, selectors] = [
      sorted([...key1]),
      sorted([...key2]),
      series.map(({ selector }) => selector),
    ];
    return {
      ...base,
      rows: made,
      groupNames,
      selectors,
      key1Names,
      key2Names,
      key1ColumnName: first.map(({ name }) => name).join('.'),
      key2ColumnName: second.map(({ name }) => name).join('.'),
      key1NameWithIndex: indexed(key1Names),
      key2NameWithIndex: indexed(key2Names),
      selectorNameWithIndex: indexed(selectors),
    };
  },
  'drill-down': ({ rows, keys, groups, aggregators, base }) => {
    const { cells, keyNames, groupNames } = cubeOf(rows, keys, groups, aggregators);
    const whole = cubeOf(rows, keys, [], aggregators).cells;
    const made = keyNames.flatMap((key) =>
      aggregators.map((column) => {
        const name = called(column);
        const selector =
          aggregators.length > 1
            ? key === ''
              ? name
              : key + ' / ' + name
            : key === ''
              ? name
              : key;
        return {
          selector,
          value: at(whole, key, { group: undefined, name }),
          drillDown: groupNames.map((group) => ({ group, value: at(cells, key, { group, name }) })),
        };
      }),
    );
    return {
      ...base,
      rows: made,
      keyNames,
      groupNames,
      selectors: made.map(({ selector }) => selector),
    };
  },
};
