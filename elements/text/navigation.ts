/** Sentences of the navigation. */
export const navigationTexts = {
  main: 'Main',
  settings: 'Settings',
  workspace: 'Workspace',
  account: 'Account',
  search: 'Search notes',
  jobs: 'Jobs',
  clusters: 'Clusters',
  interpreters: 'Interpreters',
  credentials: 'Credentials',
  packages: 'Packages',
  revisionControl: 'Revision control',
  configuration: 'Configuration',
  accessTokens: 'Access tokens',
};
