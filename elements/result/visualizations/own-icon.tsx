/** Icons of views from outside: one that fails takes nothing else along. */
import { Component, type FunctionComponent, type ReactNode } from 'react';
import { Shapes } from 'lucide-react';

interface IconProps {
  className?: string;
}

class IconBoundary extends Component<
  { instead: ReactNode; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

/** The icon, or another one in its place where it fails, as one does whose library has a React of its own. */
export const ownIcon = (Own: FunctionComponent<IconProps>): FunctionComponent<IconProps> =>
  function OwnIcon(props) {
    return (
      <IconBoundary instead={<Shapes {...props} />}>
        <Own {...props} />
      </IconBoundary>
    );
  };
