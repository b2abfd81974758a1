/**
 * What packages of this family import from their host, as modules that go into each bundle: base classes of views and spells and
 * transformations of tables. Templates of settings are drawn where the host gives the means for it, as `_compile` and the like.
 */
import { advancedModules } from './provided-advanced.ts';

const SETTING = `
export function renderSetting(owner, targetEl) {
  const setting = owner.getSetting();
  if (!setting || !owner._createNewScope || !owner._compile) return;
  if (owner._scope) {
    owner._scope.$apply(() => Object.assign(owner._scope, setting.scope));
    return;
  }
  const scope = Object.assign(owner._createNewScope(), setting.scope);
  const draw = (template) => {
    owner._targetEl = targetEl;
    targetEl.html(template);
    owner._compile(targetEl.contents())(scope);
    owner._scope = scope;
  };
  const template = setting.template || '';
  if (!template.includes('\\n') && template.endsWith('.html') && owner._templateRequest) owner._templateRequest(template).then(draw);
  else draw(template);
}
`;

const VIS = `
import { renderSetting } from 'tiding:setting';
export default class Visualization {
  constructor(targetEl, config) {
    this.targetEl = targetEl;
    this.config = config;
    this._dirty = false;
    this._active = false;
  }
  getTransformation() {}
  render(tableData) {}
  refresh() {}
  destroy() {}
  getSetting() {}
  activate() {
    if (!this._active || this._dirty) {
      this.refresh();
      this._dirty = false;
    }
    this._active = true;
  }
  deactivate() {
    this._active = false;
  }
  isActive() {
    return this._active;
  }
  resize() {
    if (this.isActive()) this.refresh();
    else this._dirty = true;
  }
  setConfig(config) {
    this.config = config;
    if (this.isActive()) this.refresh();
    else this._dirty = true;
  }
  emitConfig(config) {
    if (this._emitter) this._emitter(config);
  }
  renderSetting(targetEl) {
    renderSetting(this, targetEl);
  }
}
`;

const TRANSFORMATION = `
import { renderSetting } from 'tiding:setting';
export default class Transformation {
  constructor(config) {
    this.config = config;
  }
  getSetting() {}
  transform(tableData) {}
  renderSetting(targetEl) {
    renderSetting(this, targetEl);
  }
  setConfig(config) {
    this.config = config;
  }
  emitConfig(config) {
    if (this._emitter) this._emitter(config);
  }
}
`;

const PASSTHROUGH = `
import Transformation from 'zeppelin-tabledata/transformation';
export default class PassthroughTransformation extends Transformation {
  transform(tableData) {
    return tableData;
  }
}
`;

const COLUMNSELECTOR = `
import Transformation from 'zeppelin-tabledata/transformation';
export default class ColumnselectorTransformation extends Transformation {
  constructor(config, columnSelectorProp) {
    super(config);
    this.props = columnSelectorProp;
  }
  getSetting() {
    const config = this.config;
    return {
      template: 'app/tabledata/columnselector_settings.html',
      scope: {
        config, props: this.props, tableDataColumns: this.tableDataColumns,
        save: () => this.emitConfig(config),
        remove: (name) => {
          config[name] = null;
          this.emitConfig(config);
        },
      },
    };
  }
  transform(tableData) {
    this.tableDataColumns = tableData.columns;
    this.removeUnknown();
    return tableData;
  }
  removeUnknown() {
    for (const [name, chosen] of Object.entries(this.config || {})) {
      if (!chosen || typeof chosen !== 'object' || Array.isArray(chosen)) continue;
      if (!this.tableDataColumns.some((column) => column.index === chosen.index && column.name === chosen.name)) this.config[name] = null;
    }
  }
}
`;

const PIVOT = `
import Transformation from 'zeppelin-tabledata/transformation';
const number = (value) => (value === undefined ? 0 : isNaN(value) ? 1 : parseFloat(value));
const aggregations = {
  sum: (a, b) => number(a) + number(b), avg: (a, b) => number(a) + number(b), min: (a, b) => Math.min(number(a), number(b)), max: (a, b) => Math.max(number(a), number(b)),
  count: (a, b) => (a === undefined ? 0 : parseInt(a)) + (b === undefined ? 0 : 1),
};
export default class PivotTransformation extends Transformation {
  getSetting() {
    const config = this.config;
    const chosen = config.common.pivot;
    const save = () => this.emitConfig(config);
    const drop = (list) => (at) => {
      chosen[list].splice(at, 1);
      save();
    };
    return {
      template: 'app/tabledata/pivot_settings.html',
      scope: {
        config: chosen, tableDataColumns: this.tableDataColumns, save, removeKey: drop('keys'), removeGroup: drop('groups'), removeValue: drop('values'),
        setValueAggr: (at, aggr) => {
          chosen.values[at].aggr = aggr;
          save();
        },
      },
    };
  }
  transform(tableData) {
    const columns = (this.tableDataColumns = tableData.columns);
    this.config.common = this.config.common || {};
    const chosen = (this.config.common.pivot = this.config.common.pivot || {});
    const isFirst = !chosen.keys && !chosen.groups && !chosen.values;
    const known = (list) => (list || []).filter((each) => columns.some((column) => column.index === each.index && column.name === each.name));
    const once = (list) => list.filter((each, at) => list.findIndex((other) => other.index === each.index && other.name === each.name) === at);
    chosen.keys = once(known(chosen.keys));
    chosen.groups = once(known(chosen.groups));
    chosen.values = known(chosen.values);
    if (isFirst) {
      chosen.keys = columns.slice(0, 1);
      chosen.values = columns.slice(1, 2);
    }
    return this.pivot(tableData, chosen.keys, chosen.groups, chosen.values);
  }
  pivot(data, keys, groups, values) {
    const schema = {};
    const rows = {};
    for (const row of data.rows) {
      let level = schema;
      let place = rows;
      const enter = (name, at, entry) => {
        level[name] = level[name] || { ...entry, children: {} };
        level = level[name].children;
        place[at] = place[at] || {};
        place = place[at];
      };
      keys.forEach((key, order) => enter(key.name, row[key.index], { order, index: key.index, type: 'key' }));
      groups.forEach((group, order) => enter(row[group.index], row[group.index], { order, index: group.index, type: 'group' }));
      values.forEach((value, order) => {
        const name = value.name + '(' + value.aggr + ')';
        level[name] = level[name] || { type: 'value', order, index: value.index };
        const before = place[name];
        place[name] = !before
          ? { value: value.aggr === 'count' ? 1 : row[value.index], count: 1 }
          : { value: aggregations[value.aggr](before.value, row[value.index]), count: before.count + (value.aggr === 'avg' ? 1 : 0) };
      });
    }
    return { keys, groups, values, schema, rows };
  }
}
`;

const NETWORK = `
import Transformation from 'zeppelin-tabledata/transformation';
export default class NetworkTransformation extends Transformation {
  getSetting() {
    return { template: 'app/tabledata/network_settings.html', scope: { config: this.config } };
  }
  transform(networkData) {
    return networkData;
  }
}
`;

const SPELL = `
export const DefaultDisplayType = { ELEMENT: 'ELEMENT', TABLE: 'TABLE', HTML: 'HTML', ANGULAR: 'ANGULAR', TEXT: 'TEXT', NETWORK: 'NETWORK' };
export const DefaultDisplayMagic = Object.fromEntries(Object.values(DefaultDisplayType).map((type) => ['%' + type.toLowerCase(), type]));
export class DataWithType {
  constructor(data, type, magic, text) {
    this.data = data;
    this.type = type;
    this.magic = magic;
    this.text = text;
  }
  static handleDefaultMagic(type) {
    return DefaultDisplayMagic[type] || type;
  }
  /** A magic at the start of a line opens a part; what stands before is TEXT. */
  static parseStringData(data, known = DefaultDisplayMagic) {
    const parts = [];
    for (const line of String(data).split('\\n')) {
      const magic = (/^%\\S+/.exec(line) || [])[0];
      const isKnown = magic !== undefined && Object.prototype.hasOwnProperty.call(known, magic);
      if (isKnown) parts.push(new DataWithType(line.slice(magic.length) + '\\n', known[magic]));
      else if (parts.length === 0) parts.push(new DataWithType(line + '\\n', DefaultDisplayType.TEXT));
      else parts[parts.length - 1].data += line + '\\n';
    }
    return parts;
  }
  getData() {
    return this.data;
  }
  getType() {
    return this.type;
  }
}
export class SpellResult {
  constructor(resultData, resultType) {
    this.dataWithTypes = [];
    this.add(resultData, resultType);
  }
  static isFunction(data) {
    return typeof data === 'function';
  }
  static isObject(data) {
    return typeof data === 'object' && data !== null;
  }
  static isPromise(data) {
    return !!data && typeof data.then === 'function';
  }
  add(resultData, resultType) {
    if (resultData !== undefined) this.dataWithTypes.push(new DataWithType(resultData, resultType));
    return this;
  }
  /** Parts with their types: texts are split at lines that start with a known magic, which \`spells\` adds to. */
  async getAllParsedDataWithTypes(spells, magic, text) {
    const known = { ...DefaultDisplayMagic, ...Object.fromEntries(Object.keys(spells || {}).map((each) => [each, each])) };
    const parts = await Promise.all(this.dataWithTypes.map(async ({ data, type }) => {
      const value = await data;
      if (type) return [new DataWithType(value, type)];
      if (SpellResult.isFunction(value)) return [new DataWithType(value, DefaultDisplayType.ELEMENT, magic, text)];
      return DataWithType.parseStringData(value, known);
    }));
    return parts.flat();
  }
}
export class SpellBase {
  constructor(magic) {
    this.magic = magic;
  }
  interpret(paragraphText) {
    throw new Error('SpellBase.interpret() should be overrided');
  }
  getMagic() {
    return this.magic;
  }
}
`;

/** By the name they are imported by. */
const modules: Readonly<Record<string, string>> = {
  'tiding:setting': SETTING,
  'zeppelin-vis': VIS,
  'zeppelin-vis/visualization': VIS,
  'zeppelin-tabledata/transformation': TRANSFORMATION,
  'zeppelin-tabledata/passthrough': PASSTHROUGH,
  'zeppelin-tabledata/columnselector': COLUMNSELECTOR,
  'zeppelin-tabledata/pivot': PIVOT,
  'zeppelin-tabledata/network': NETWORK,
  ...advancedModules,
  'zeppelin-spell': SPELL,
};

/** All of it, for what is made of it. */
export const PROVIDED = JSON.stringify(modules);

/** The source of a provided module; `undefined` for another. Also imported with `.js`. */
export function providedModule(name: string): string | undefined {
  const plain = name.replace(/\.js$/, '');
  return Object.hasOwn(modules, plain) ? modules[plain] : undefined;
}

/** Whether a whole package is provided: it is not installed. `zeppelin-tabledata` is: it has more than is provided here. */
export const isProvided = (name: string): boolean =>
  name === 'zeppelin-vis' || name === 'zeppelin-spell';
