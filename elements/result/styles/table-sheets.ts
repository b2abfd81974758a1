/** Style sheets of tables and the views of their data, which are loaded with their code. */
import tableSheet from '../displays/table-result/table-result.css';
import packagesSheet from '../packages/packages.css';
import chartSheet from '../visualizations/chart/chart.css';
import networkSheet from '../visualizations/network/network.css';
import gridSheet from '../visualizations/table/styles/grid.css';
import gridHeaderSheet from '../visualizations/table/styles/grid-header.css';
import gridPanelsSheet from '../visualizations/table/styles/grid-panels.css';
import gridPrintSheet from '../visualizations/table/styles/grid-print.css';

export const tableSheets: readonly string[] = [
  tableSheet,
  gridSheet,
  gridHeaderSheet,
  gridPanelsSheet,
  gridPrintSheet,
  chartSheet,
  networkSheet,
  packagesSheet,
];
