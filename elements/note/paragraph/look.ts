/**
 * Layout of a paragraph. `report` and `embed` have no editor and no bars; `focus` is a paragraph on
 * its own page, without its editor, and with its output even if that is hidden.
 */
export type Look = 'default' | 'simple' | 'report' | 'embed' | 'focus';
