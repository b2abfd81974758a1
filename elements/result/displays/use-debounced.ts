import { useEffect, useState } from 'react';

/** Delay between the last change and the update, in ms. */
const pause = 200;

/** Debounces a value while `moves` is true; otherwise returns it unchanged. */
export function useDebounced<Value>(value: Value, moves: boolean): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (settled === value) return;
    const timer = setTimeout(() => setSettled(value), moves ? pause : 0);
    return () => clearTimeout(timer);
  }, [value, settled, moves]);
  return moves ? settled : value;
}
