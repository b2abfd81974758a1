import { useState } from 'react';

/** The series that the legend has taken out, by name, and what takes one out or brings it back. */
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
