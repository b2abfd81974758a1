/** Added to each test in a browser: what it mounts is removed, and the page must log no error. */
import { removeMounted, same, strictPolicy } from '../../result/test-support.tsx';
import { pageErrors } from '../../runtime/test-page-errors.ts';

/** Errors that the page has logged in this test. A test that expects some removes them. */
export const errors = pageErrors();

const unexpected: string[] = [];
afterEach(function () {
  removeMounted();
  unexpected.push(...errors.splice(0).map((error) => `${this.currentTest?.title}: ${error}`));
});
after(() => same(unexpected, [], 'errors of the page'));

/** Applies the page policy to a block of tests, which must not violate it. */
export function strictPage(): string[] {
  const violations = strictPolicy();
  after(() => same(violations, [], 'page policy'));
  return violations;
}
