import Transformation from 'zeppelin-tabledata/transformation';
export default class PassthroughTransformation extends Transformation {
  transform(tableData) {
    return tableData;
  }
}
