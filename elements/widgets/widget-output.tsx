import { envelopeOf, readWidget } from '@tiding/client/widgets';
import { type ReactNode, useContext, useMemo } from 'react';
import type { DisplayProps } from '../result/contract.ts';
import { Notice } from '../result/parts/notice.tsx';
import { HostContext } from '../runtime/hooks.ts';
import { useSheets } from '../runtime/use-sheets.ts';
import { fill } from '../text/fill.ts';
import { widgetTexts } from './texts.ts';
import { WidgetBody, widgetSheets } from './widget-view.tsx';

/**
 * Shows a widget from its JSON payload in an HTML output. The markup itself is not rendered.
 * `fallback`: shown if the output carries no payload after all.
 */
export default function WidgetDisplay({
  html,
  fallback,
  context,
}: DisplayProps & { html: string; fallback: ReactNode }) {
  const host = useContext(HostContext);
  useSheets(widgetSheets);
  const envelope = useMemo(() => envelopeOf(html), [html]);
  const read = useMemo(() => envelope && readWidget(envelope), [envelope]);
  if (!envelope) return fallback;
  if (!read) return <Notice>{fill(widgetTexts.unknown, { name: envelope.widget })}</Notice>;
  if (!host) return null;
  return (
    <div className="widget-output result-pad">
      <WidgetBody
        read={read}
        host={host}
        client={context?.client}
        server={context?.client.server}
      />
    </div>
  );
}
