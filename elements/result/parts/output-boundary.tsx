import { Component, type ReactNode } from 'react';
import { afterFailure } from '../../runtime/code-failure.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from './notice.tsx';
import { failureTexts } from './texts.ts';

interface Props {
  /** Type of the output inside, for the error message. */
  type: string;
  /** Identity of the data; a new value clears the error and renders again. */
  of: unknown;
  children: ReactNode;
}

interface State {
  error: Error | null;
  of: unknown;
}

/** Error boundary that keeps one broken output from affecting the others. */
export class OutputBoundary extends Component<Props, State> {
  override state: State = { error: null, of: this.props.of };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.of === state.of ? null : { error: null, of: props.of };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const retry = () => this.setState({ error: null });
    const { label, act } = afterFailure(error, retry, failureTexts.tryAgain);
    return (
      <Notice
        kind="danger"
        action={
          <Button size="sm" onClick={act}>
            {label}
          </Button>
        }
      >
        <b>{failureTexts.failed(this.props.type)}</b> {error.message} {failureTexts.failedHolds}
      </Notice>
    );
  }
}
