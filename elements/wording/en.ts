import { tokenTexts } from '../account/texts.ts';
import { clusterTexts } from '../clusters/texts.ts';
import { configurationTexts } from '../configuration/texts.ts';
import { connectionTexts } from '../connections/texts.ts';
import { credentialTexts } from '../credentials/texts.ts';
import { editorTexts } from '../editor/texts.ts';
import { interpreterTexts } from '../interpreters/texts.ts';
import { jobTexts } from '../jobs/texts.ts';
import { announceTexts, statusTexts } from '../note/announce-texts.ts';
import { engineTexts } from '../note/bar/engine-texts.ts';
import { commentTexts } from '../note/comments/texts.ts';
import { exportTexts } from '../note/dialogs/export-texts.ts';
import { shareTexts } from '../note/dialogs/share-texts.ts';
import { shortcutTexts } from '../note/dialogs/shortcut-texts.ts';
import { importPreviewTexts } from '../note/files/texts.ts';
import { findTexts } from '../note/find/texts.ts';
import { jupyterTexts } from '../note/jupyter/texts.ts';
import { panelTexts, principalTexts } from '../note/panels/texts.ts';
import { paragraphTexts } from '../note/paragraph/texts.ts';
import { collaborationTexts } from '../note/presence/texts.ts';
import { revisionTexts } from '../note/revisions/texts.ts';
import { notePageTexts } from '../note/texts.ts';
import { cloneNoteTexts, createNoteTexts, importNoteTexts } from '../note-list/dialog-texts.ts';
import { noteListTexts } from '../note-list/texts.ts';
import { homeTexts } from '../notes/texts.ts';
import { packageTexts } from '../packages/texts.ts';
import { peopleTexts } from '../people/texts.ts';
import { portalTexts } from '../portal/texts.ts';
import { inputTexts } from '../result/displays/input-texts.ts';
import { jsonTexts } from '../result/displays/json/texts.ts';
import { jupyterWidgetTexts } from '../result/displays/jupyter/texts.ts';
import { terminalTexts } from '../result/displays/terminal/texts.ts';
import { resultText } from '../result/texts.ts';
import { chartTexts } from '../result/visualizations/chart/texts.ts';
import { networkTexts } from '../result/visualizations/network/texts.ts';
import { gridTexts } from '../result/visualizations/table/texts.ts';
import { revisionControlTexts } from '../revision-control/texts.ts';
import { snapshotTexts } from '../runtime/snapshots/texts.ts';
import { searchTexts } from '../search/texts.ts';
import { loginTexts, resetTexts } from '../session/texts.ts';
import { navigationTexts } from '../shell/navigation-texts.ts';
import { shellTexts } from '../shell/texts.ts';
import { allTexts } from '../text/areas.ts';
import { commonTexts } from '../text/common.ts';
import { noteTexts } from '../text/note.ts';
import { dragTexts } from '../ui/drag-texts.ts';
import { pageTexts } from '../ui/page-texts.ts';
import { catalogueTexts } from '../widgets/catalogue/texts.ts';
import { clustersTexts } from '../widgets/clusters/texts.ts';
import { graphTexts } from '../widgets/graph/texts.ts';
import { jobsTexts } from '../widgets/jobs/texts.ts';
import { logsTexts } from '../widgets/logs-texts.ts';
import { profilesTexts } from '../widgets/profiles/texts.ts';
import { securityTexts } from '../widgets/security/texts.ts';
import { widgetTexts } from '../widgets/texts.ts';
import { validationTexts } from '../widgets/validation/texts.ts';

/**
 * All texts of the elements, in English. `setTexts` replaces them. Texts quoted from the
 * specification must stay exactly as they are. A view imports the areas that it shows instead of
 * this table, so that pages load no other texts.
 */
export const text = Object.assign(allTexts, {
  ...commonTexts,
  ...panelTexts,
  ...notePageTexts,
  principals: principalTexts,
  revisions: revisionTexts,
  share: shareTexts,
  result: resultText,
  charts: chartTexts,
  portal: portalTexts,
  editor: editorTexts,
  engine: engineTexts,
  jupyter: jupyterTexts,
  announce: announceTexts,
  status: statusTexts,
  drag: dragTexts,
  navigation: navigationTexts,
  pages: pageTexts,
  jobManager: jobTexts,
  clusters: clusterTexts,
  interpreters: interpreterTexts,
  tokens: tokenTexts,
  connections: connectionTexts,
  people: peopleTexts,
  credentials: credentialTexts,
  configuration: configurationTexts,
  search: searchTexts,
  packages: packageTexts,
  revisionControl: revisionControlTexts,
  app: shellTexts,
  find: findTexts,
  network: networkTexts,
  input: inputTexts,
  json: jsonTexts,
  jupyterWidget: jupyterWidgetTexts,
  terminal: terminalTexts,
  grid: gridTexts,
  snapshot: snapshotTexts,
  together: collaborationTexts,
  login: loginTexts,
  reset: resetTexts,
  list: noteListTexts,
  home: homeTexts,
  create: createNoteTexts,
  clone: cloneNoteTexts,
  import: importNoteTexts,
  comments: commentTexts,
  export: exportTexts,
  importPreview: importPreviewTexts,
  note: noteTexts,
  paragraph: paragraphTexts,
  shortcuts: shortcutTexts,
  widgets: Object.assign(widgetTexts, {
    graph: graphTexts,
    logs: logsTexts,
    jobs: jobsTexts,
    security: securityTexts,
    profiles: profilesTexts,
    clusters: clustersTexts,
    validation: validationTexts,
    catalogue: catalogueTexts,
  }),
});
