/**
 * Every element, described. Importing has no effect; `tiding/elements/define` registers them.
 *
 * @module tiding/elements
 */
import { clusterCard, clusters } from './clusters/clusters.tsx';
import { jobManager } from './jobs/job-manager.tsx';
import { interpreters } from './interpreters/interpreters.tsx';
import { accessTokens } from './account/access-tokens.tsx';
import { configuration } from './configuration/configuration.tsx';
import { credentials } from './credentials/credentials.tsx';
import { notebook } from './note/notebook.tsx';
import { home } from './notes/home.tsx';
import { noteList } from './notes/note-list.tsx';
import { paragraphFrame } from './paragraph/paragraph-frame.tsx';
import { paragraph } from './paragraph/paragraph.tsx';
import type { ElementSpec } from './runtime/define-element.ts';
import type { LazyView } from './runtime/lazy-view.tsx';
import { workbench } from './runtime/workbench.tsx';
import { packages } from './packages/packages.tsx';
import { revisionControl } from './revision-control/revision-control.tsx';
import { search } from './search/search.tsx';
import { login } from './session/login.tsx';
import { navigation } from './shell/navigation.tsx';
import { passwordReset } from './session/password-reset.tsx';
import { catalogueElements } from './widgets/catalogue/index.ts';
import { clustersElements } from './widgets/clusters/index.ts';
import { jobsElements } from './widgets/jobs/index.ts';
import { profilesElements } from './widgets/profiles/index.ts';
import { securityElements } from './widgets/security/index.ts';
import { validationElements } from './widgets/validation/index.ts';
import { widget } from './widgets/widget-element.ts';
import { ssoError } from './session/sso-error.tsx';

/** The elements of the package; a new one is one line here. */
export const elements: readonly ElementSpec[] = [
  workbench,
  notebook,
  paragraph,
  paragraphFrame,
  noteList,
  home,
  login,
  passwordReset,
  ssoError,
  navigation,
  jobManager,
  clusters,
  clusterCard,
  interpreters,
  accessTokens,
  credentials,
  configuration,
  search,
  packages,
  revisionControl,
  widget,
  ...jobsElements,
  ...profilesElements,
  ...clustersElements,
  ...validationElements,
  ...securityElements,
  ...catalogueElements,
];

/** Loads the code of an element's view before it is on the page; at once where it has come with the element. */
export async function preload(tag: string): Promise<void> {
  const view = elements.find((spec) => spec.tag === tag)?.view;
  if (view && 'preload' in view) await (view as LazyView).preload();
}

export {
  commonProperties,
  elementClass,
  type ElementSpec,
  type EventSpec,
  type MethodSpec,
  type PropertyKind,
  type PropertySpec,
  type ViewProps,
} from './runtime/define-element.ts';
export { pageClient, takeClient, type TokenSource } from './runtime/clients.ts';
export { onTexts, setTexts, texts, type SomeTexts, type Texts } from './text/table.ts';
export { registerDisplay } from './result/displays/index.ts';
export { registerVisualization } from './result/visualizations/index.ts';
export type {
  Display,
  DisplayProps,
  DownloadFile,
  ResultPlace,
  ResultWidth,
  Selection,
} from './result/contract.ts';
export type { Graph, GraphPatch } from './result/graph.ts';
export type { Visualization, VisualizationProps } from './result/visualizations/contract.ts';
