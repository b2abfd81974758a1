/** What is said of things that are dragged to another place. */
export const dragTexts = {
  role: 'can be moved',
  help: 'To move it, press the space bar or Enter. Then use the arrow keys, and the space bar or Enter again to put it down, or Escape to leave it where it was.',
  lifted: '{name} lifted.',
  over: '{name} over {other}.',
  outside: '{name} over no place.',
  dropped: '{name} put down at {other}.',
  left: '{name} left where it was.',
};
