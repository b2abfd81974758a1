import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from './notice.tsx';
import { resultText } from './text.ts';

interface Props {
  /** Type of the output inside. */
  type: string;
  /** Another value means other data, which deserves another try. */
  of: unknown;
  children: ReactNode;
}

interface State {
  error: Error | null;
  of: unknown;
}

/** Keeps an output that cannot be shown from taking its neighbours along. */
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
    return (
      <Notice
        kind="danger"
        action={
          <Button size="sm" onClick={() => this.setState({ error: null })}>
            {resultText.tryAgain}
          </Button>
        }
      >
        <b>{resultText.failed(this.props.type)}</b> {error.message} {resultText.failedHolds}
      </Notice>
    );
  }
}
