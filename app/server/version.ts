/** Versions the server names. */

/** Generation the server speaks: clients of the family read `0.8.x` as the one with bindings and whole-path names. */
export const PROTOCOL_VERSION = '0.8.2';
/** Version of this package; kept equal to package.json by a test. */
export const SERVER_VERSION = '0.1.0';
