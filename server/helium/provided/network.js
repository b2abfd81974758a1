import Transformation from 'zeppelin-tabledata/transformation';
export default class NetworkTransformation extends Transformation {
  getSetting() {
    return { template: 'app/tabledata/network_settings.html', scope: { config: this.config } };
  }
  transform(networkData) {
    return networkData;
  }
}
