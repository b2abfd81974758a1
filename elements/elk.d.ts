/** The layout library as a script that bundlers read; it has no types of its own. */
declare module 'elkjs/lib/elk-worker.min.js';
