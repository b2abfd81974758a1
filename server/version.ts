/** Version numbers that the server reports. */

/** Newest Zeppelin whose calls the server answers; a test compares it with the protocol. */
export const PROTOCOL_VERSION = '0.13.0';
/** Version of this package; a test keeps it equal to package.json. */
export const SERVER_VERSION = '0.1.0';
