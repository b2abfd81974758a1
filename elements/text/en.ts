import { allTexts } from './areas.ts';
import { commonTexts } from './common.ts';
import { announceTexts, statusTexts } from './note/announce.ts';
import { collaborationTexts } from './note/collaboration.ts';
import { commentTexts } from './note/comments.ts';
import { dragTexts } from './note/drag.ts';
import { editorTexts } from './note/editor.ts';
import { engineTexts } from './note/engine.ts';
import { exportTexts } from './note/export.ts';
import { findTexts } from './note/find.ts';
import { importPreviewTexts } from './note/import-preview.ts';
import { jupyterTexts } from './note/jupyter.ts';
import { noteTexts } from './note/note.ts';
import { notePageTexts } from './note/note-page.ts';
import { panelTexts, principalTexts } from './note/panels.ts';
import { paragraphTexts } from './note/paragraph.ts';
import { revisionTexts } from './note/revisions.ts';
import { shareTexts } from './note/share.ts';
import { shortcutTexts } from './note/shortcuts.ts';
import { tokenTexts } from './pages/access-tokens.ts';
import { clusterTexts } from './pages/clusters.ts';
import { configurationTexts } from './pages/configuration.ts';
import { connectionTexts } from './pages/connections.ts';
import { credentialTexts } from './pages/credentials.ts';
import { homeTexts } from './pages/home.ts';
import { interpreterTexts } from './pages/interpreters.ts';
import { jobTexts } from './pages/jobs.ts';
import { loginTexts, resetTexts } from './pages/login.ts';
import { navigationTexts } from './pages/navigation.ts';
import { cloneNoteTexts, createNoteTexts, importNoteTexts } from './pages/note-dialogs.ts';
import { noteListTexts } from './pages/note-list.ts';
import { packageTexts } from './pages/packages.ts';
import { peopleTexts } from './pages/people.ts';
import { revisionControlTexts } from './pages/revision-control.ts';
import { searchTexts } from './pages/search.ts';
import { pageTexts } from './pages/shared.ts';
import { shellTexts } from './pages/shell.ts';
import { portalTexts } from './portal.ts';
import { chartTexts } from './results/charts.ts';
import { gridTexts } from './results/data-grid.ts';
import { inputTexts } from './results/input.ts';
import { jsonTexts } from './results/json.ts';
import { jupyterWidgetTexts } from './results/jupyter-widget.ts';
import { networkTexts } from './results/network.ts';
import { resultText } from './results/result.ts';
import { snapshotTexts } from './results/snapshot.ts';
import { terminalTexts } from './results/terminal.ts';
import { catalogueTexts } from './widgets/catalogue.ts';
import { clustersTexts } from './widgets/clusters.ts';
import { graphTexts } from './widgets/graph.ts';
import { widgetTexts } from './widgets/index.ts';
import { jobsTexts } from './widgets/jobs.ts';
import { logsTexts } from './widgets/logs.ts';
import { profilesTexts } from './widgets/profiles.ts';
import { securityTexts } from './widgets/security.ts';
import { validationTexts } from './widgets/validation.ts';

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
