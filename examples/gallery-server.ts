/** What the gallery needs beside the elements: a client, and a server in memory for those that ask one. */
export { createClient } from 'tiding/client';
export { memoryServer } from 'tiding/testing';
export { widgetIds } from 'tiding/widgets';
