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
