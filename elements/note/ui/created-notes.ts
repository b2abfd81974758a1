/**
 * Notes that the user of this page created and has not seen yet. Such a note opens with the cursor
 * in its first paragraph; others, for example in a page of a host, don't take the focus.
 */
const created = new Set<string>();

/** Remembers a note that the user has just created. */
export const noteCreated = (id: string): void => void created.add(id);

/** Whether the user has just created a note; true only once. */
export const takeCreated = (id: string): boolean => created.delete(id);
