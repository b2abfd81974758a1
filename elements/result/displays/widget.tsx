import { type Envelope, readWidget } from '@tiding/client/widgets';
import { useContext, useMemo } from 'react';
import { HostContext } from '../../runtime/hooks.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import { fill, text } from '../../text/en.ts';
import { WidgetBody, widgetSheets } from '../../widgets/widget-view.tsx';
import type { DisplayProps } from '../contract.ts';
import { Notice } from '../parts/notice.tsx';

/** Shows a widget from its JSON payload in an HTML output. The markup itself is not rendered. */
export default function WidgetDisplay({ envelope, place }: DisplayProps & { envelope: Envelope }) {
  const host = useContext(HostContext);
  useSheets(widgetSheets);
  const read = useMemo(() => readWidget(envelope), [envelope]);
  if (!read) return <Notice>{fill(text.widgets.unknown, { name: envelope.widget })}</Notice>;
  if (!host) return null;
  return (
    <div className="widget-output result-pad">
      <WidgetBody read={read} host={host} client={place?.client} server={place?.client.server} />
    </div>
  );
}
