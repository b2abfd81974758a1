import Transformation from 'zeppelin-tabledata/transformation';

const number = (value) => (value === undefined ? 0 : isNaN(value) ? 1 : parseFloat(value));
const aggregations = {
  sum: (a, b) => number(a) + number(b),
  avg: (a, b) => number(a) + number(b),
  min: (a, b) => Math.min(number(a), number(b)),
  max: (a, b) => Math.max(number(a), number(b)),
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
        config: chosen,
        tableDataColumns: this.tableDataColumns,
        save,
        removeKey: drop('keys'),
        removeGroup: drop('groups'),
        removeValue: drop('values'),
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
    const known = (list) =>
      (list || []).filter((each) =>
        columns.some((column) => column.index === each.index && column.name === each.name),
      );
    const once = (list) =>
      list.filter(
        (each, at) =>
          list.findIndex((other) => other.index === each.index && other.name === each.name) === at,
      );
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
      keys.forEach((key, order) =>
        enter(key.name, row[key.index], { order, index: key.index, type: 'key' }),
      );
      groups.forEach((group, order) =>
        enter(row[group.index], row[group.index], { order, index: group.index, type: 'group' }),
      );
      values.forEach((value, order) => {
        const name = value.name + '(' + value.aggr + ')';
        level[name] = level[name] || { type: 'value', order, index: value.index };
        const before = place[name];
        place[name] = !before
          ? { value: value.aggr === 'count' ? 1 : row[value.index], count: 1 }
          : {
              value: aggregations[value.aggr](before.value, row[value.index]),
              count: before.count + (value.aggr === 'avg' ? 1 : 0),
            };
      });
    }
    return { keys, groups, values, schema, rows };
  }
}
