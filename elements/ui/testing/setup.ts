/** Added to each test in a browser: what it mounts is removed, and the page must log no error. */
import { removeMounted, same } from '../../result/test-support.tsx';
import { pageErrors } from '../../runtime/test-page-errors.ts';

/** Errors that the page has logged in this test. A test that expects some removes them. */
export const errors = pageErrors();

const unexpected: string[] = [];
afterEach(function () {
  removeMounted();
  unexpected.push(...errors.splice(0).map((error) => `${this.currentTest?.title}: ${error}`));
});
after(() => same(unexpected, [], 'errors of the page'));
