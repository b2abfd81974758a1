import errorBoxSheet from './error-box.css';
import mediaOutputSheet from './media-output.css';
import resizeHandleSheet from './resize-handle.css';
import resultSheet from './result.css';
import textOutputSheet from './text-output.css';

/**
 * Style sheets that an element must adopt to show results. Tables, charts and other views that are
 * loaded on demand adopt their own.
 */
export const resultSheets: string[] = [
  resultSheet,
  textOutputSheet,
  mediaOutputSheet,
  errorBoxSheet,
  resizeHandleSheet,
];
