/** What the gallery needs besides the elements: a client and a memory server. */
export { createClient } from '@tiding/client';
export { memoryServer } from '@tiding/client/testing';
export { widgetIds } from '@tiding/client/widgets';
