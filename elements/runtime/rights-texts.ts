/** What users may do with a note, and why something is disabled for them. */
export const rightsTexts = {
  reader: 'View only',
  runner: 'Run only',
  needs: {
    runner: 'You may view this note but not run it. Ask an owner to add you to its runners.',
    writer: 'You may not change this note. Ask an owner to add you to its writers.',
    owner: 'Only owners of this note may do this.',
  },
  /** The same for visitors of a page with an embed token, who can't ask an owner. */
  ofPage: {
    runner: 'This page may show the note but not run it.',
    writer: 'This page may not change the note.',
    owner: 'This page may not do this.',
  },
};
