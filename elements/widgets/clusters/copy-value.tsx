import { Copy } from 'lucide-react';
import { useCopy } from '../../result/parts/use-copy.ts';
import { resultText } from '../../text/results/result.ts';
import { Button } from '../../ui/button.tsx';

/** Copy button whose text reports the result. `label` says what is copied, for screen readers. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  const [word, copy] = useCopy();
  return (
    <>
      <Button size="sm" kind="secondary" icon={Copy} aria-label={label} onClick={() => copy(value)}>
        {word}
      </Button>
      <span className="visually-hidden" role="status">
        {word === resultText.copy ? '' : word}
      </span>
    </>
  );
}
