import { useEffect, useState } from 'react';

const textOf = (host: HTMLElement): string | undefined =>
  host.querySelector(':scope > script[type="application/json"]')?.textContent ?? undefined;

/** The text of a JSON script inside an element. Follows changes, also while the page is parsed. */
export function useScriptText(host: HTMLElement): string | undefined {
  const [written, setWritten] = useState(() => textOf(host));
  useEffect(() => {
    const look = () => setWritten(textOf(host));
    look();
    const observer = new MutationObserver(look);
    observer.observe(host, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [host]);
  return written;
}
