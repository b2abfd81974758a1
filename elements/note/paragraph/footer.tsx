import { runFooterText, runStartedText } from '@tiding/client/model';
import type { Paragraph } from '@tiding/client/protocol';
import { useEffect, useState } from 'react';

/** Refresh interval of the relative start time, in ms. */
const REFRESH_MS = 15_000;

/**
 * Footer with the duration of the last run, the last editor, and whether the result is outdated.
 * Hidden together with the output.
 */
export function ParagraphFooter({ server, always }: { server: Paragraph; always: boolean }) {
  const running = server.status === 'RUNNING';
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!running) return undefined;
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), REFRESH_MS);
    return () => clearInterval(timer);
  }, [running]);
  const label = running
    ? runStartedText(server, now)
    : server.status === 'PENDING'
      ? ''
      : runFooterText(server);
  return label === '' || (server.config?.tableHide && !running && !always) ? null : (
    <footer className="paragraph-foot hint" part="footer">
      {label}
    </footer>
  );
}
