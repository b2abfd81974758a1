/** Applications on a paragraph: whether there are any, their toolbar, and their output. */
import type { ParagraphApplication } from '@tiding/client';
import { CodeBoundary, lazyCode } from '../../runtime/lazy-code.tsx';
import type { DisplayProps, ResultContext } from '../contract.ts';
import { displayOf } from '../displays/index.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { resultText } from '../texts.ts';
import { usePackages } from './package-store.ts';

const uiText = resultText.packages;

/** Toolbar of the applications. It brings the menu's code, which most results do not need. */
export const ApplicationBar = lazyCode(() => import('./application-bar.tsx'));

/**
 * Whether there is anything to choose: an application on the paragraph, or one enabled on the
 * server.
 */
export function useHasApplications(
  context: ResultContext | undefined,
  apps: readonly ParagraphApplication[],
): boolean {
  const { applications } = usePackages(context?.client);
  return (
    context !== undefined &&
    (apps.length > 0 || (applications && context.note.revision === undefined))
  );
}

/** Output of an application, shown instead of the result. */
export function ApplicationOutput({ app, ...props }: DisplayProps & { app: ParagraphApplication }) {
  const { status, outputs, pkg } = app;
  if (status === 'LOADING' && outputs.length === 0) return <Skeleton height={props.graph.height} />;
  return (
    <div className="app-output">
      {status === 'ERROR' && <Notice kind="danger">{uiText.appFailed(pkg.name)}</Notice>}
      {outputs.map((output, at) => {
        const View = displayOf(output);
        return View ? (
          <CodeBoundary key={at} fallback={<Skeleton height={props.graph.height} />}>
            <View {...props} output={output} />
          </CodeBoundary>
        ) : null;
      })}
    </div>
  );
}
