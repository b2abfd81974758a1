import { methods } from 'tiding:cube';
import Transformation from 'zeppelin-tabledata/transformation';

const specsOf = (named) => Object.entries(named || {}).map(([name, spec]) => ({ ...spec, name }));
/** Returns a hash of a spec, to detect changes. */
const hashOf = (value) => {
  let hash = 0;
  for (const character of JSON.stringify(value)) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return String(hash);
};
const read = {
  int: (value) => parseInt(value),
  float: (value) => parseFloat(value),
  string: (value) => value,
  boolean: (value, other) =>
    String(value) === 'true' ? true : String(value) === 'false' ? false : other,
  JSON: (value, other) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return other;
    }
  },
};
const isThere = (columns) => (column) =>
  column && columns.some(({ name, index }) => name === column.name && index === column.index);

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
  /** Completes the settings. Choices for a different spec are reset. */
  fill() {
    const { config, spec } = this;
    const charts = specsOf(spec.charts);
    const version = {
      axis: hashOf(charts.map(({ name, axis, sharedAxis }) => [name, axis, !!sharedAxis])),
      parameter: hashOf(charts.map(({ name, parameter }) => [name, parameter])),
    };
    const before = (config.spec && config.spec.version) || {};
    if (before.axis !== version.axis)
      Object.assign(config, { chart: undefined, axis: {}, sharedAxis: {}, axisSpecs: {} });
    if (before.parameter !== version.parameter)
      Object.assign(config, { parameter: {}, paramSpecs: {} });
    const available = charts.map(({ name }) => name);
    const current =
      config.chart && available.includes(config.chart.current)
        ? config.chart.current
        : available[0];
    config.chart = { current, available };
    config.panel = config.panel || { columnPanelOpened: true, parameterPanelOpened: false };
    config.sharedAxis = config.sharedAxis || {};
    for (const chart of charts) {
      config.axisSpecs[chart.name] = specsOf(chart.axis);
      config.paramSpecs[chart.name] = specsOf(chart.parameter);
      // Charts that share their axes use the same object.
      config.axis[chart.name] = chart.sharedAxis
        ? config.sharedAxis
        : config.axis[chart.name] || {};
      const values = (config.parameter[chart.name] = config.parameter[chart.name] || {});
      for (const { name, defaultValue } of config.paramSpecs[chart.name])
        if (values[name] === undefined) values[name] = defaultValue;
    }
    config.spec = { ...spec, version };
    if (config.chartChanged === undefined)
      Object.assign(config, { chartChanged: true, parameterChanged: false });
  }
  getSetting() {
    return {
      template: 'app/tabledata/advanced-transformation-setting.html',
      scope: { config: this.config, columns: this.columns },
    };
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
      if (axisType === 'key' || axisType === 'group' || axisType === 'aggregator')
        column[axisType].push(...columns);
      else column.custom[axisType] = (column.custom[axisType] || []).concat(columns);
    }
    const parameter = {};
    for (const { name, valueType, defaultValue } of config.paramSpecs[chart]) {
      const value = config.parameter[chart][name];
      parameter[name] = (read[valueType] || read.string)(
        value === undefined ? defaultValue : value,
        defaultValue,
      );
    }
    const method = ((this.spec.charts[chart] || {}).transform || {}).method || 'raw';
    const { rows } = tableData;
    const base = {
      keyColumnName: column.key.map(({ name }) => name).join('.'),
      selectors: [],
      keyNames: [],
      groupNames: [],
    };
    const given = {
      rows,
      keys: column.key,
      keyAxes,
      groups: column.group,
      aggregators: column.aggregator,
      base,
    };
    const { chartChanged, parameterChanged } = config;
    const axis = config.axis[chart];
    return {
      chartChanged,
      parameterChanged,
      chart,
      axis,
      parameter,
      column,
      transformer: () => (methods[method] ? methods[method](given) : rows),
    };
  }
}
