import type { CommStatus } from '@tiding/client';
import {
  type WidgetView,
  widgetFallback,
  widgetViewHtml,
  widgetViewInHtml,
} from '@tiding/client/model';
import { type ReactNode, useMemo, useState } from 'react';
import type { DisplayProps } from '../../contract.ts';
import type { FrameBinding } from '../../frames/frame-binding.ts';
import { bindWidget } from '../../frames/widget-binding.ts';
import { Notice } from '../../parts/notice.tsx';
import { FrameView } from '../frame-view.tsx';
import { jupyterWidgetTexts } from './texts.ts';

interface WidgetDisplayProps extends DisplayProps {
  readonly html: string;
  readonly fallback: ReactNode;
}

interface Props extends DisplayProps {
  readonly html: string;
  readonly view: WidgetView;
}

/**
 * Displays a Jupyter widget in a sandboxed frame, connected with its kernel; in a note that its
 * reader doesn't trust, the fallback.
 */
export default function JupyterWidgetDisplay({ fallback, ...props }: WidgetDisplayProps) {
  const { html, frameUrl } = props;
  const view = frameUrl === '' || frameUrl.endsWith('/still') ? undefined : widgetViewInHtml(html);
  return view ? <ConnectedWidget {...props} view={view} /> : fallback;
}

function ConnectedWidget(props: Props) {
  const { html, view, frameUrl, title, output, width, context } = props;
  const { kernel, model } = view;
  const { client, note, paragraph, mayNotRun } = context ?? {};
  const isReadOnly = mayNotRun !== undefined;
  const [status, setStatus] = useState<CommStatus>('live');
  const [problem, setProblem] = useState<string>();
  const binding = useMemo<FrameBinding | undefined>(
    () =>
      client && note && paragraph
        ? bindWidget(
            { client, note, paragraph, isReadOnly },
            { kernel, model },
            { onStatus: setStatus, onProblem: setProblem },
          )
        : undefined,
    [client, note, paragraph, isReadOnly, kernel, model],
  );
  return (
    <FrameView
      // Scripts in the output could use the kernel in the name of its reader.
      html={binding ? widgetViewHtml({ kernel, model }, widgetFallback(html)) : html}
      url={binding ? `${frameUrl}/jupyter` : frameUrl}
      title={title}
      output={output}
      binding={binding}
      width={width}
    >
      {status !== 'live' ? (
        <Notice>{jupyterWidgetTexts[status]}</Notice>
      ) : (
        problem !== undefined && <Notice kind="danger">{jupyterWidgetTexts.failed(problem)}</Notice>
      )}
    </FrameView>
  );
}
