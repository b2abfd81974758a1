/** Placeholders for content that is loading, failed to load, or has stopped working. */
import { RefreshCw } from 'lucide-react';
import { Component, Fragment, type ReactNode } from 'react';
import { afterFailure } from '../runtime/code-failure.ts';
import { commonTexts } from '../text/common.ts';
import { Button } from './button.tsx';

const widths = ['38%', '72%', '64%'];

/** Loading placeholder. With `lines`, shows skeleton lines and, after a second, a text. */
export function Loading({ lines = false }: { lines?: boolean }) {
  return (
    <div
      className="element-loading"
      role="status"
      aria-busy="true"
      aria-label={commonTexts.loading}
    >
      {lines
        ? widths.map((width) => <span key={width} className="skeleton" style={{ width }} />)
        : null}
      {lines ? (
        <span className="loading-words" aria-hidden="true">
          {commonTexts.loading}
        </span>
      ) : null}
    </div>
  );
}

/** Error message with a retry button. */
export function LoadFailed({
  error,
  children,
  onRetry,
}: {
  error?: unknown;
  children: ReactNode;
  onRetry: () => void;
}) {
  const { label, act } = afterFailure(error, onRetry);
  return (
    <div className="element-message" role="alert">
      {children}
      <Button kind="secondary" icon={RefreshCw} onClick={act}>
        {label}
      </Button>
    </div>
  );
}

interface Typed {
  readonly label: string;
  readonly text: string;
}

interface Props {
  /** Contains the fields of the region. */
  root: () => ParentNode | null | undefined;
  children?: ReactNode;
}

interface State {
  error: Error | undefined;
  typed: readonly Typed[];
}

/** Fields for text that may be shown: no passwords. */
const FIELDS = `textarea, input:is(:not([type]), ${['text', 'search', 'email', 'url', 'number']
  .map((type) => `[type=${type}]`)
  .join()})`;

const typedIn = (root: ParentNode): Typed[] =>
  [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)]
    .filter(({ value, readOnly }) => value.trim() !== '' && !readOnly)
    .map((field) => ({
      label: field.ariaLabel ?? field.labels?.[0]?.textContent ?? field.placeholder,
      text: field.value,
    }));

/**
 * Error boundary of a page region. The rest of the page continues, and what was typed into fields
 * of the region stays visible until the user closes it.
 */
export class Region extends Component<Props, State> {
  override state: State = { error: undefined, typed: [] };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  /** Reads the fields while they are still in the page. */
  override getSnapshotBeforeUpdate(_: Props, before: State): Typed[] {
    const root = this.state.error && !before.error ? this.props.root() : undefined;
    return root ? typedIn(root) : [];
  }

  override componentDidUpdate(_: Props, __: State, typed: Typed[]): void {
    if (typed.length > 0) this.setState({ typed });
  }

  override render(): ReactNode {
    const { error, typed } = this.state;
    return (
      <>
        {error ? (
          <LoadFailed error={error} onRetry={() => this.setState({ error: undefined })}>
            <span>{commonTexts.regionFailed}</span>
            {error.message}
          </LoadFailed>
        ) : null}
        {typed.length > 0 ? (
          <div className="element-message typed-texts" role="status">
            <span>{commonTexts.typedTexts}</span>
            <dl>
              {typed.map(({ label, text }, at) => (
                <Fragment key={at}>
                  <dt>{label}</dt>
                  <dd>{text}</dd>
                </Fragment>
              ))}
            </dl>
            {error ? null : (
              <Button kind="secondary" onClick={() => this.setState({ typed: [] })}>
                {commonTexts.close}
              </Button>
            )}
          </div>
        ) : null}
        {error ? null : this.props.children}
      </>
    );
  }
}
