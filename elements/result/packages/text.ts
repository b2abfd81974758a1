/** Sentences about packages. */
export const packageText = {
  frame: (name: string, title: string) =>
    title ? `${title}, drawn by the package ${name}` : `Drawn by the package ${name}`,
  failed: (name: string) => `The package ${name} has failed.`,
  flooded: (name: string) => `The package ${name} was stopped: it sent too many messages.`,
  left: (name: string) =>
    `The package ${name} was stopped: it tried to open another page in its frame.`,
  mute: (name: string) => `The package ${name} has drawn nothing yet.`,
  needsServer: 'Packages are drawn where the table stands in a note.',
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
  noApps: 'No application fits this result.',
  unload: (name: string) => `Remove ${name}`,
  appFailed: (name: string) => `The application ${name} could not be started.`,
  spellRuns: 'The spell draws…',
  spellTooDeep: 'Spells that print spells are followed three steps.',
};
