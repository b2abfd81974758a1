/** Version of this package; a test keeps it equal to package.json. */
export const ELEMENTS_VERSION = '0.1.0';
