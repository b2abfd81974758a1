import { type Question, questionOf } from '@tiding/client';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { takesText } from '../../runtime/takes-text.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import { Button } from '../../ui/button.tsx';
import type { DisplayProps, ResultContext } from '../contract.ts';
import sheet from './input.css';
import { inputTexts } from './input-texts.ts';

const sheets = [sheet];

/** INPUT output: a question of the running code, with a field for the answer. */
export default function InputDisplay({ output, running, context }: DisplayProps) {
  useSheets(sheets);
  const question = questionOf(output);
  if (!question || !running || !context) return null;
  return <Field key={question.id} question={question} context={context} />;
}

function Field({ question, context }: { question: Question; context: ResultContext }) {
  const { prompt, password } = question;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState('');
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState('');
  useEffect(() => {
    if (field.current && !isTypedElsewhere(field.current))
      field.current.focus({ preventScroll: true });
  }, []);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    setFailure('');
    try {
      await context.paragraph.answer(question, answer);
    } catch (error) {
      // What was typed stays in the field.
      setFailure(inputTexts.failed((error as Error).message));
    }
    setSending(false);
  };
  const mayNot = context.mayNotRun;
  return (
    <form className="input-output in-row small-text" onSubmit={(event) => void send(event)}>
      <label htmlFor={id} role="status">
        {prompt.trim() || inputTexts.noPrompt}
      </label>
      <span className={mayNot === undefined ? 'input' : 'input off'}>
        <input
          ref={field}
          id={id}
          type={password ? 'password' : 'text'}
          autoComplete={password ? 'new-password' : 'off'}
          spellCheck={false}
          value={answer}
          readOnly={isSending || mayNot !== undefined}
          onChange={(event) => setAnswer(event.target.value)}
          // Shortcuts of the note don't apply to what is typed.
          onKeyDown={(event) => event.stopPropagation()}
        />
      </span>
      <Button type="submit" kind="secondary" size="sm" busy={isSending} disabledReason={mayNot}>
        {inputTexts.answer}
      </Button>
      {failure && <p role="alert">{failure}</p>}
    </form>
  );
}

/** Whether the user types into another paragraph, or elsewhere on the page. */
function isTypedElsewhere(field: HTMLElement): boolean {
  const { activeElement } = field.getRootNode() as Document | ShadowRoot;
  const active = activeElement ?? document.activeElement;
  const paragraphOf = (element: Element): Element | null => element.closest('[data-paragraph]');
  return (
    active !== null &&
    takesText(active) &&
    (paragraphOf(active) === null || paragraphOf(active) !== paragraphOf(field))
  );
}
