import type { ComponentProps } from 'react';

/** A link that opens a new tab. */
export const NewTabLink = (props: ComponentProps<'a'>) => (
  <a target="_blank" rel="noopener noreferrer" {...props} />
);
