/** Error boundary for icons of registered views. */

import { Shapes } from 'lucide-react';
import { Component, type FunctionComponent, type ReactNode } from 'react';

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

/**
 * Wraps an icon so that a fallback is shown if it fails, for example because its library uses
 * another copy of React.
 */
export const guardedIcon = (Own: FunctionComponent<IconProps>): FunctionComponent<IconProps> =>
  function OwnIcon(props) {
    return (
      <IconBoundary instead={<Shapes {...props} />}>
        <Own {...props} />
      </IconBoundary>
    );
  };
