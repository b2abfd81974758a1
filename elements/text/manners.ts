/** How the page of a note behaves towards its reader: leaving, being refused, one paragraph alone, fields of forms, active content. */
export const mannerTexts = {
  fields: {
    locked: 'This value is set by the page',
    noOption: 'No option has “{term}” in its name.',
    moreOptions: 'and {n} more: type to find one',
  },
  leave: {
    title: 'Do you want to leave this site?',
    text: 'Changes that you have made will not be saved.',
    stay: 'Stay',
    leave: 'Leave',
    reload: 'Do you want to reload this site?',
  },
  refused: { login: 'Login', details: 'Details' },
  gone: 'This note was removed.',
  single: { back: 'Back to the note {name}', whole: 'Whole note' },
  jobs: 'Jobs',
  job: 'Jobs #{n}',
  trust: {
    imported: 'This note was imported by {name}. Scripts in its results are off.',
    copied: 'This note was copied by {name}. Scripts in its results are off.',
    made: 'This note was made by {name}. Scripts in its results are off.',
    unknown: 'It is not known who made this note. Scripts in its results are off.',
    show: 'Show active content',
    title: 'Trust this note?',
    text: 'Scripts in the results of this note will run for you, now and later, also in what others who may write it put there. They run apart from this page and reach neither your notes nor the network.',
    action: 'Trust this note',
    withdraw: 'Turn off active content',
    off: 'Scripts in the results of this note are off.',
  },
};
