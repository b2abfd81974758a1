import { useState } from 'react';

/** State of the legend: the names of hidden series, and a function that toggles one. */
export function useHidden(): [hidden: ReadonlySet<string>, toggle: (name: string) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string): void =>
    setHidden((old) => {
      const next = new Set(old);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return [hidden, toggle];
}
