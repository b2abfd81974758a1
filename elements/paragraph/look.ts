/**
 * How a paragraph is shown: `report` and `embed` have no editor and no bars; `focus` is one paragraph of a note on a page of its
 * own, without its editor and with its output whatever is stored.
 */
export type Look = 'default' | 'simple' | 'report' | 'embed' | 'focus';
