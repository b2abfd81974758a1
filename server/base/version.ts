/** Version numbers that the server reports. */

/** Newest Zeppelin whose calls the server answers; a test compares it with the protocol. */
export const PROTOCOL_VERSION = '0.13.0';
/** Version of this package; a test keeps it equal to package.json. */
export const SERVER_VERSION = '0.1.0';
/** Follows a refusal of an operation or call that this version doesn't know. */
export const UPGRADE_ADVICE =
  `This server is Tiding ${SERVER_VERSION}. ` +
  'If the page or program is of a newer version, upgrade the server.';
