/** Screen texts about packages. */
export const packageText = {
  frame: (name: string, title: string) =>
    title ? `${title}, drawn by the package ${name}` : `Drawn by the package ${name}`,
  failed: (name: string) => `The package ${name} failed.`,
  flooded: (name: string) => `The package ${name} was stopped: it sent too many messages.`,
  left: (name: string) =>
    `The package ${name} was stopped: it tried to open another page in its frame.`,
  mute: (name: string) => `The package ${name} has drawn nothing yet.`,
  needsServer: 'Packages can only be shown in a note.',
  columns: 'Columns of the view',
  charts: 'Charts of the package',
  axes: 'Columns',
  parameters: 'Parameters',
  clear: 'Clear',
  reset: 'Reset',
  addToWell: (well: string) => `Add to ${well}`,
  wellHint: 'Drop a column here.',
  wellHintMany: 'Drop columns here.',
  apps: 'Applications',
  suggest: 'Add an application',
  loading: 'Looking for applications…',
  noApps: 'No application supports this result.',
  unload: (name: string) => `Remove ${name}`,
  appFailed: (name: string) => `The application ${name} could not be started.`,
  spellRuns: 'Running the spell…',
  spellTooDeep: 'This spell is not run: spells can be nested at most three levels deep.',
};
