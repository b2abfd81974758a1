import { useEffect, useState } from 'react';
import { startedText, tookText } from 'tiding/model';
import type { Paragraph } from 'tiding/protocol';

/** The words of a run that goes on grow old: they are looked at this often, in ms. */
const AGE_MS = 15_000;

/** How long the last run took, who changed the paragraph last, and whether the result is older than its text. Gone with a hidden output. */
export function ParagraphFooter({ server, always }: { server: Paragraph; always: boolean }) {
  const running = server.status === 'RUNNING';
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!running) return undefined;
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), AGE_MS);
    return () => clearInterval(timer);
  }, [running]);
  const words = running
    ? startedText(server, now)
    : server.status === 'PENDING'
      ? ''
      : tookText(server);
  return words === '' || (server.config?.tableHide && !running && !always) ? null : (
    <footer className="paragraph-foot" part="footer">
      {words}
    </footer>
  );
}
