import { useEffect, useRef, useState } from 'react';
import { resultText } from './text.ts';

/** How long "Copied!" stays. */
const resetAfter = 400;

/** A copy button's label and action: the label tells the outcome for a moment, and is `idle` else. */
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
    // Absent outside secure contexts.
    if (!navigator.clipboard) return show(resultText.copyFailed);
    navigator.clipboard.writeText(text).then(
      () => show(resultText.copied),
      () => show(resultText.copyFailed),
    );
  };
  return [label, copy];
}
