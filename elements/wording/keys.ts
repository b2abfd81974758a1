/** Written by `npx vitest run test/texts-list -u` from the tables of texts. */
export const textAreas: readonly string[] = (
  'announce app assistant bindings charts clean clone clusters commentPanel comments ' +
  'configuration connections create credentials drag editor engine export fields files find ' +
  'forms grid home import importPreview input interpreters jobManager json jupyter ' +
  'jupyterWidget leave list login navigation network note output packages pages palette ' +
  'paragraph people permissions personal portal principals refused reset result ' +
  'revisionControl revisions schedule scheduleAlerts search share shortcuts single snapshot ' +
  'stale status terminal together tokens trust variables widgets widgets.catalogue ' +
  'widgets.clusters widgets.graph widgets.jobs widgets.logs widgets.profiles widgets.security ' +
  'widgets.validation'
).split(' ');
