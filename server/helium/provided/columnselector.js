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
        config,
        props: this.props,
        tableDataColumns: this.tableDataColumns,
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
      if (
        !this.tableDataColumns.some(
          (column) => column.index === chosen.index && column.name === chosen.name,
        )
      )
        this.config[name] = null;
    }
  }
}
