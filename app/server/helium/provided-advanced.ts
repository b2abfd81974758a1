/**
 * The advanced transformation as a module of a bundle: charts with axes and parameters, which a package describes by a spec. The
 * page around draws its settings; here they are completed, and rows are made of them when a chart asks (`transformer()`).
 */

/** How rows are cut by keys and groups and aggregated. Here what is no number counts as one. */
const CUBE = `
const number = (value) => (value === undefined || value === null || value === '' || isNaN(value) ? 1 : parseFloat(value));
const together = {
  sum: (a, b) => a + number(b), avg: (a, b) => a + number(b), count: (a) => a + 1, min: (a, b) => Math.min(a, number(b)), max: (a, b) => Math.max(a, number(b)),
};
const nameOf = (row, columns) => columns.map((column) => String(row[column.index])).join('.');
const sorted = (names) => [...names].sort(names.every((name) => name.trim() !== '' && isFinite(name)) ? (a, b) => a - b : undefined);
const called = (column) => column.name + '(' + (column.aggr || 'sum') + ')';

/** key → selector → value, in order; also what a group's part of it is. */
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
      at.set(name, before ? { value: together[aggr](before.value, value), count: before.count + 1, aggr } : { value: aggr === 'count' ? 1 : number(value), count: 1, aggr });
    }
  }
  return { cells, keyNames: sorted([...cells.keys()]), groupNames: sorted([...groupNames]) };
}
export const valueOf = (cell) => (cell === undefined ? null : cell.aggr === 'avg' ? cell.value / cell.count : cell.value);

/** What series are called, and which cell each is of. */
export function selectorsOf(groupNames, groups, aggregators) {
  if (groups.length === 0) return aggregators.map((column) => ({ selector: called(column), group: undefined, name: called(column) }));
  return groupNames.flatMap((group) => aggregators.map((column) => ({ selector: aggregators.length > 1 ? group + ' / ' + called(column) : group, group, name: called(column) })));
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
    return { ...base, rows: made, keyNames, groupNames, selectors: series.map(({ selector }) => selector) };
  },
  array: ({ rows, keys, groups, aggregators, base }) => {
    const { cells, keyNames, groupNames } = cubeOf(rows, keys, groups, aggregators);
    const series = selectorsOf(groupNames, groups, aggregators);
    const made = series.map((one) => ({ selector: one.selector, value: keyNames.map((key) => at(cells, key, one)) }));
    return { ...base, rows: made, keyNames, groupNames, selectors: series.map(({ selector }) => selector) };
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
    const groupNames = groups.length > 0 ? sorted([...new Set(rows.map((row) => nameOf(row, groups)))]) : [];
    const series = selectorsOf(groupNames, groups, aggregators);
    const cubes = [...pairs.values()].map(({ pair, rows: own }) => ({ pair, cells: cubeOf(own, [], groups, aggregators).cells }));
    const made = series.map((one) => ({
      selector: one.selector,
      value: cubes.flatMap(({ pair, cells }) => {
        const aggregated = at(cells, '', one);
        return aggregated === null ? [] : [{ key1: pair[0], key2: pair[1], aggregated }];
      }),
    }));
    const indexed = (names) => Object.fromEntries(names.map((name, index) => [name, index]));
    const [key1Names, key2Names, selectors] = [sorted([...key1]), sorted([...key2]), series.map(({ selector }) => selector)];
    return {
      ...base, rows: made, groupNames, selectors, key1Names, key2Names, key1ColumnName: first.map(({ name }) => name).join('.'), key2ColumnName: second.map(({ name }) => name).join('.'),
      key1NameWithIndex: indexed(key1Names), key2NameWithIndex: indexed(key2Names), selectorNameWithIndex: indexed(selectors),
    };
  },
  'drill-down': ({ rows, keys, groups, aggregators, base }) => {
    const { cells, keyNames, groupNames } = cubeOf(rows, keys, groups, aggregators);
    const whole = cubeOf(rows, keys, [], aggregators).cells;
    const made = keyNames.flatMap((key) => aggregators.map((column) => {
      const name = called(column);
      const selector = aggregators.length > 1 ? (key === '' ? name : key + ' / ' + name) : key === '' ? name : key;
      return { selector, value: at(whole, key, { group: undefined, name }), drillDown: groupNames.map((group) => ({ group, value: at(cells, key, { group, name }) })) };
    }));
    return { ...base, rows: made, keyNames, groupNames, selectors: made.map(({ selector }) => selector) };
  },
};
`;

const ADVANCED = `
import Transformation from 'zeppelin-tabledata/transformation';
import { methods } from 'tiding:cube';

const specsOf = (named) => Object.entries(named || {}).map(([name, spec]) => ({ ...spec, name }));
/** Another text for another spec. */
const hashOf = (value) => {
  let hash = 0;
  for (const character of JSON.stringify(value)) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return String(hash);
};
const read = {
  int: (value) => parseInt(value), float: (value) => parseFloat(value), string: (value) => value,
  boolean: (value, other) => (String(value) === 'true' ? true : String(value) === 'false' ? false : other),
  JSON: (value, other) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return other;
    }
  },
};
const isThere = (columns) => (column) => column && columns.some(({ name, index }) => name === column.name && index === column.index);

export default class AdvancedTransformation extends Transformation {
  constructor(config, spec) {
    super(config);
    this.columns = [];
    this.props = {};
    this.spec = spec;
    this.fill();
  }
  setConfig(config) {
    super.setConfig(config);
    this.fill();
  }
  /** Completes the settings; what was chosen for another spec starts anew. */
  fill() {
    const { config, spec } = this;
    const charts = specsOf(spec.charts);
    const version = { axis: hashOf(charts.map(({ name, axis, sharedAxis }) => [name, axis, !!sharedAxis])), parameter: hashOf(charts.map(({ name, parameter }) => [name, parameter])) };
    const before = (config.spec && config.spec.version) || {};
    if (before.axis !== version.axis) Object.assign(config, { chart: undefined, axis: {}, sharedAxis: {}, axisSpecs: {} });
    if (before.parameter !== version.parameter) Object.assign(config, { parameter: {}, paramSpecs: {} });
    const available = charts.map(({ name }) => name);
    const current = config.chart && available.includes(config.chart.current) ? config.chart.current : available[0];
    config.chart = { current, available };
    config.panel = config.panel || { columnPanelOpened: true, parameterPanelOpened: false };
    config.sharedAxis = config.sharedAxis || {};
    for (const chart of charts) {
      config.axisSpecs[chart.name] = specsOf(chart.axis);
      config.paramSpecs[chart.name] = specsOf(chart.parameter);
      // Charts that share their axes have the very same object.
      config.axis[chart.name] = chart.sharedAxis ? config.sharedAxis : config.axis[chart.name] || {};
      const values = (config.parameter[chart.name] = config.parameter[chart.name] || {});
      for (const { name, defaultValue } of config.paramSpecs[chart.name]) if (values[name] === undefined) values[name] = defaultValue;
    }
    config.spec = { ...spec, version };
    if (config.chartChanged === undefined) Object.assign(config, { chartChanged: true, parameterChanged: false });
  }
  getSetting() {
    return { template: 'app/tabledata/advanced-transformation-setting.html', scope: { config: this.config, columns: this.columns } };
  }
  transform(tableData) {
    const { config } = this;
    this.columns = tableData.columns;
    const chart = config.chart.current;
    const axisSpecs = config.axisSpecs[chart];
    const known = isThere(tableData.columns);
    const chosen = (name) => [].concat(config.axis[chart][name] || []).filter(known);
    const column = { key: [], group: [], aggregator: [], custom: {} };
    const keyAxes = [];
    for (const { name, axisType, dimension, maxAxisCount } of axisSpecs) {
      const all = chosen(name);
      const most = dimension === 'single' ? 1 : maxAxisCount;
      const columns = most ? all.slice(-most) : all;
      if (axisType === 'key') keyAxes.push(columns);
      if (axisType === 'key' || axisType === 'group' || axisType === 'aggregator') column[axisType].push(...columns);
      else column.custom[axisType] = (column.custom[axisType] || []).concat(columns);
    }
    const parameter = {};
    for (const { name, valueType, defaultValue } of config.paramSpecs[chart]) {
      const value = config.parameter[chart][name];
      parameter[name] = (read[valueType] || read.string)(value === undefined ? defaultValue : value, defaultValue);
    }
    const method = ((this.spec.charts[chart] || {}).transform || {}).method || 'raw';
    const { rows } = tableData;
    const base = { keyColumnName: column.key.map(({ name }) => name).join('.'), selectors: [], keyNames: [], groupNames: [] };
    const given = { rows, keys: column.key, keyAxes, groups: column.group, aggregators: column.aggregator, base };
    const { chartChanged, parameterChanged } = config;
    const axis = config.axis[chart];
    return { chartChanged, parameterChanged, chart, axis, parameter, column, transformer: () => (methods[method] ? methods[method](given) : rows) };
  }
}
`;

/** Modules by the name they are imported by. */
export const advancedModules = {
  'tiding:cube': CUBE,
  'zeppelin-tabledata/advanced-transformation': ADVANCED,
} as const;
