/** Questions of running code to the users who have its note open, as of `input()`. */
import { randomUUID } from 'node:crypto';
import type { InputQuestion } from '../interpreters/contract.ts';
import type { OutputStream } from './output/output.ts';
import type { CurrentRun, RunPlace } from './run-origin.ts';

/** Returns the function with which the code of a run asks. `viewerCount`: of its note. */
export const asker =
  (run: CurrentRun, output: OutputStream, place: RunPlace, viewerCount: () => number) =>
  ({ prompt, password }: InputQuestion, signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      if (viewerCount() === 0)
        return reject(
          new Error(
            'The code asks for input, but nobody has the note open. Open the note and run the ' +
              'paragraph there, or use a form such as ${name=value}.',
          ),
        );
      const id = randomUUID();
      const end = (): void => {
        signal.removeEventListener('abort', stop);
        delete run.question;
        output.ask(undefined);
      };
      const stop = (): void => {
        end();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      run.question = {
        ...place,
        id,
        answer(text) {
          end();
          resolve(text);
        },
      };
      output.ask(JSON.stringify({ id, prompt, password }));
    });
