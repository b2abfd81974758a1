/** Version numbers that the server reports. */

/**
 * Protocol generation: Zeppelin clients take `0.8.x` to mean interpreter bindings and full paths as
 * note names.
 */
export const PROTOCOL_VERSION = '0.8.2';
/** Version of this package; a test keeps it equal to package.json. */
export const SERVER_VERSION = '0.1.0';
