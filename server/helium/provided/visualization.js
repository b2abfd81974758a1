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
