/** How a paragraph is shown: `report` and `embed` have no editor and no bars. */
export type Look = 'default' | 'simple' | 'report' | 'embed';
