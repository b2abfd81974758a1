import { commonTexts } from '../text/common.ts';

/** What browsers say if a module can't be loaded. */
const MISSING_MODULE = /dynamically imported module|module script/i;

/**
 * Label and action of the button below a failure: `retry`, or loading the page again if code is
 * missing, because browsers remember that until then. A server may have newer files by now.
 */
export const afterFailure = (error: unknown, retry: () => void, label = commonTexts.tryAgain) =>
  error instanceof TypeError && MISSING_MODULE.test(error.message)
    ? { label: commonTexts.reloadPage, act: () => location.reload() }
    : { label, act: retry };
