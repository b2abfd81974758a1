import type { Output } from '@tiding/client';
import { sendKeys } from '@web/test-runner-commands';
import type { ResultContext } from './contract.ts';
import { ResultView, resultSheets } from './index.ts';
import { check, type Mounted, mount, same, strictPolicy, waitUntil } from './test-support.tsx';

describe('a question of running code', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  let answers: string[];
  let failure: Error | undefined;
  const output = (prompt: string, password = false, id = prompt): Output => ({
    type: 'INPUT',
    chunks: [JSON.stringify({ id, prompt, password })],
    count: 1,
  });
  const view = (of: Output, status = 'RUNNING', mayNotRun?: string) => {
    const context = {
      paragraph: {
        async answer(question: { id: string }, text: string) {
          if (failure) throw failure;
          answers.push(`${question.id}${text}`);
        },
      },
      mayNotRun,
    } as unknown as ResultContext;
    return <ResultView outputs={[of]} status={status} frameUrl="" context={context} />;
  };
  const field = (): HTMLInputElement => shown.find('.input-output input');

  beforeEach(() => {
    answers = [];
    failure = undefined;
    shown = mount(null, resultSheets);
  });

  it('takes the focus and is answered with Enter', async () => {
    shown.render(view(output('name? ')));
    await waitUntil(() => shown.root.activeElement === field(), 'focus in the field');
    same(shown.find('label').textContent, 'name?');
    await sendKeys({ type: 'Ada' });
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => answers.length === 1, 'an answer');
    same(answers, ['name? Ada']);
    shown.render(view(output('key? ', true)));
    await waitUntil(() => field().type === 'password', 'a password field');
    same(field().value, '', 'the next question begins empty');
    same(violations, []);
  });

  it('keeps what was typed if the answer could not be sent', async () => {
    failure = new Error('You are offline.');
    shown.render(view(output('')));
    await waitUntil(() => shown.root.activeElement === field(), 'focus in the field');
    same(shown.find('label').textContent, 'The code asks for input');
    await sendKeys({ type: 'x' });
    await sendKeys({ press: 'Enter' });
    await waitUntil(
      () => shown.find('[role=alert]').textContent?.includes('You are offline.'),
      'the reason',
    );
    same([field().value, field().readOnly], ['x', false]);
  });

  it('leaves the focus where users type, and is read-only without the right', async () => {
    const other = document.body.appendChild(document.createElement('textarea'));
    other.focus();
    shown.render(view(output('name? '), 'RUNNING', 'You may not run this note.'));
    await waitUntil(field, 'the field');
    check(document.activeElement === other, 'the focus was taken');
    same([field().readOnly, shown.find<HTMLButtonElement>('button').disabled], [true, true]);
    other.remove();
  });

  it('is not shown once the run has ended', async () => {
    shown.render(view(output('name? ')));
    await waitUntil(field, 'the field');
    shown.render(view(output('name? '), 'ABORT'));
    await waitUntil(() => shown.all('input').length === 0, 'no field');
  });
});
