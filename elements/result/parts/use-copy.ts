import { useEffect, useRef, useState } from 'react';
import { resultText } from '../texts.ts';

/** Time in ms for which the outcome ("Copied!") is shown. */
const resetAfter = 400;

/**
 * Returns the label and action of a copy button. The label briefly shows the outcome and is `idle`
 * otherwise.
 */
export function useCopy(
  idle: string = resultText.copy,
): [label: string, copy: (text: string) => void] {
  const [label, setLabel] = useState<string>(idle);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (outcome: string): void => {
    setLabel(outcome);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setLabel(idle), resetAfter);
  };
  const copy = (text: string): void => {
    // The clipboard API is missing on insecure pages.
    if (!navigator.clipboard) return show(resultText.copyFailed);
    navigator.clipboard.writeText(text).then(
      () => show(resultText.copied),
      () => show(resultText.copyFailed),
    );
  };
  return [label, copy];
}
