import { useEffect, useState } from 'react';

/** While output streams, a frame is not written anew for each piece. */
const pause = 200;

/** The value itself, or while it `moves` the last one that stood for a moment. */
export function useSettled<Value>(value: Value, moves: boolean): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (settled === value) return;
    const timer = setTimeout(() => setSettled(value), moves ? pause : 0);
    return () => clearTimeout(timer);
  }, [value, settled, moves]);
  return moves ? settled : value;
}
