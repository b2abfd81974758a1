import { Copy } from 'lucide-react';
import { useCopy } from '../../result/copy.ts';
import { resultText } from '../../result/text.ts';
import { Button } from '../../ui/button.tsx';

/** A button that copies; its words tell how that went. `label`: what is copied, for who does not see what stands beside. */
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
