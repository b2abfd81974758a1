/** The layout library as a script for bundlers; it has no types of its own. */
declare module 'elkjs/lib/elk-worker.min.js';
