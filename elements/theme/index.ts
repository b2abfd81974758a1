/** Style sheets of every element. Adopt `tokenSheet` before `baseSheet`. */
import adaptations from './adaptations.css';
import base from './base.css';
import controls from './controls.css';
import highContrast from './high-contrast.css';
import overlays from './overlays.css';
import status from './status.css';
import tokenModes from './token-modes.css';
import tokens from './tokens.css';

/** Maps the public `--tiding-*` tokens to the private `--_*` names that all sheets use. */
export const tokenSheet: string = [
  tokens,
  `@media (prefers-contrast: more) { ${highContrast} }`,
  highContrast.replace(':host', ':host([contrast="more"])'),
  tokenModes,
].join('\n');

/** Inheritance, type, focus and the shared components. */
export const baseSheet: string = [base, status, controls, overlays, adaptations].join('\n');
