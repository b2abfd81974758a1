import { useEffect, useState } from 'react';

/** Refresh interval of times such as "a minute ago", in ms. */
const REFRESH_MS = 30_000;

/** Returns the current time and updates it while the view is mounted. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
