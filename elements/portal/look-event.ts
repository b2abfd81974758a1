/** Event on `document` after a portal has changed the look of an element. */
export const LOOK_EVENT = 'tiding-look-changed';
