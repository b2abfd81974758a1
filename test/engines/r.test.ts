/** Variables of a real R kernel (Debian: r-cran-irkernel). */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Interpreter, InterpreterSpec } from '../../server/interpreters/contract.ts';
import { kernelInterpreters } from '../../server/interpreters/kernels/kernel-interpreter.ts';
import { findKernelspecs } from '../../server/interpreters/kernels/kernelspecs.ts';
import { runCode, type TestHost, testHost } from '../../server/interpreters/test-support.ts';
import { untilEnd } from '../support/until-end.ts';

/** Folder whose `kernels` has the kernel of R; undefined: the tests are skipped. */
const folder = process.env['TIDING_TEST_R'];

describe.skipIf(folder === undefined)('a kernel of R', () => {
  let spec: InterpreterSpec;
  let host: TestHost;
  let kernel: Interpreter;

  beforeAll(async () => {
    const { kernels } = await findKernelspecs([folder!]);
    spec = kernelInterpreters(
      kernels.filter(({ language }) => language.toLowerCase() === 'r'),
      [],
    )[0]!;
    host = testHost();
    kernel = untilEnd(spec.create(host));
  });
  afterEach(() => runCode(kernel, 'rm(list = ls())'));

  /** The variables without their sizes, after the code has run. */
  async function variablesAfter(code: string): Promise<Record<string, unknown>[]> {
    const { end } = await runCode(kernel, code);
    expect(end).toEqual({ code: 'SUCCESS' });
    for (;;) {
      const { isBusy, variables } = (await kernel.variables!())!;
      if (isBusy || variables.length === 0) continue;
      expect(variables.every(({ size }) => Number(size) >= 0)).toBe(true);
      return variables.map(({ size: _, isTable: __, ...variable }) => variable);
    }
  }

  it('lists names, classes, dimensions and previews', async () => {
    const found = await variablesAfter(`
      numbers <- c(1.5, 2, NA); words <- c("Ada", 'it"s', "\\u00fc"); flag <- TRUE
      ages <- data.frame(name = c("Ada", "Alan"), age = c(36L, 41L))
      grid <- matrix(1:6, nrow = 2); kinds <- factor(c("b", "a", "b"))
      day <- as.Date("2026-01-31"); things <- list(a = 1, b = "x"); nothing <- NULL
      f <- function(x) x`);
    expect(Object.fromEntries(found.map(({ name, ...rest }) => [name, rest]))).toEqual({
      numbers: { type: 'numeric', shape: '3', preview: '1.5, 2.0, NA' },
      words: { type: 'character', shape: '3', preview: '"Ada", "it\\"s", "ü"' },
      flag: { type: 'logical', shape: '1', preview: 'TRUE' },
      ages: { type: 'data.frame', shape: '2 × 2', preview: 'name, age' },
      grid: { type: 'matrix, array', shape: '2 × 3', preview: '1, 2, 3, 4, 5, 6' },
      kinds: { type: 'factor', shape: '3', preview: 'b, a, b' },
      day: { type: 'Date', shape: '1', preview: '2026-01-31' },
      nothing: { type: 'NULL', preview: 'NULL' },
      things: { type: 'list', shape: '2', preview: 'a, b' },
    });
  });

  it('calls no code of the variables, and leaves nothing behind', async () => {
    const found = await variablesAfter(`
      calls <- 0
      length.own <- function(x) { calls <<- calls + 1; 9L }
      format.own <- function(x, ...) { calls <<- calls + 1; "called" }
      thing <- structure(list(1), class = "own")
      makeActiveBinding("active", function() { calls <<- calls + 1; 1 }, globalenv())
      big <- numeric(1e6)`);
    expect(found.map(({ name }) => name).sort()).toEqual(['big', 'calls', 'thing']);
    expect(found.find(({ name }) => name === 'big')).toMatchObject({ shape: '1000000' });
    const left = await runCode(kernel, 'cat(calls, sort(ls()))');
    expect(
      left.outputs
        .map(({ data }) => data)
        .join('')
        .trim(),
    ).toBe('0 active big calls format.own length.own thing');
  });
});
