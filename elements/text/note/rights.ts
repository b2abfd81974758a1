/** What users may do with a note, and why something is disabled for them. */
export const rightsTexts = {
  reader: 'View only',
  runner: 'Run only',
  needs: {
    runner: 'You may view this note but not run it. Ask an owner to add you to its runners.',
    writer: 'You may not change this note. Ask an owner to add you to its writers.',
    owner: 'Only owners of this note may do this.',
  },
};
