/**
 * Specs of all elements. Importing this module has no side effects; `@tiding/elements/define`
 * registers them.
 *
 * @module @tiding/elements
 */

import { accessTokensElement } from './account/access-tokens.tsx';
import { clusterCard, clusters } from './clusters/clusters.tsx';
import { configuration } from './configuration/configuration.tsx';
import { connectionsElement } from './connections/connections.tsx';
import { credentialsElement } from './credentials/credentials.tsx';
import { elementClass, loadView } from './element-class.ts';
import { filterElement } from './filter/filter.tsx';
import { interpretersElement } from './interpreters/interpreters.tsx';
import { jobManager } from './jobs/job-manager.tsx';
import { notebook } from './note/notebook.tsx';
import { paragraphElement } from './note/paragraph/paragraph.tsx';
import { paragraphFrame } from './note/paragraph/paragraph-frame.ts';
import { home } from './notes/home.tsx';
import { noteList } from './notes/note-list.tsx';
import { chartElement, outputElement } from './output/output.ts';
import { packages } from './packages/packages.tsx';
import { peopleElement } from './people/people.tsx';
import { revisionControlElement } from './revision-control/revision-control.tsx';
import type { ElementSpec } from './runtime/define-element.ts';
import { search } from './search/search.tsx';
import { login } from './session/login.tsx';
import { passwordReset } from './session/password-reset.tsx';
import { ssoError } from './session/sso-error.tsx';
import { navigation } from './shell/navigation.tsx';
import { workbench } from './shell/workbench.ts';
import { catalogueElements } from './widgets/catalogue/index.ts';
import { clustersElements } from './widgets/clusters/index.ts';
import { jobsElements } from './widgets/jobs/index.ts';
import { profilesElements } from './widgets/profiles/index.ts';
import { securityElements } from './widgets/security/index.ts';
import { validationElements } from './widgets/validation/index.ts';
import { widget } from './widgets/widget-element.ts';

/** All elements of the package. Add a new element here. */
export const elements: readonly ElementSpec[] = [
  workbench,
  notebook,
  paragraphElement,
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
  interpretersElement,
  connectionsElement,
  peopleElement,
  accessTokensElement,
  credentialsElement,
  configuration,
  search,
  packages,
  revisionControlElement,
  filterElement,
  outputElement,
  chartElement,
  widget,
  ...jobsElements,
  ...profilesElements,
  ...clustersElements,
  ...validationElements,
  ...securityElements,
  ...catalogueElements,
];

/** Loads the code of an element's view before the element is used. */
export async function preload(tag: string): Promise<void> {
  const spec = elements.find((each) => each.tag === tag);
  if (spec) await loadView(spec);
}

export type { FilterOption } from './filter/filter-options.ts';
export type { OutputData, RowData, ZeppelinOutput } from './output/data.ts';
export type { ChartColumns, OutputConfig } from './output/view-config.ts';
export type {
  Portal,
  PortalAuthor,
  PortalChange,
  PortalOptions,
  PortalSignal,
  PortalSignalName,
  PortalSignals,
  PortalValue,
} from './portal/index.ts';
export { loadPortal, type PortalModule } from './portal/load.ts';
export type {
  Display,
  DisplayProps,
  DownloadFile,
  ResultContext,
  ResultWidth,
  Selection,
} from './result/contract.ts';
export { registerDisplay } from './result/displays/registered.ts';
export type { Graph, GraphPatch } from './result/view-settings.ts';
export type { Visualization, VisualizationProps } from './result/visualizations/contract.ts';
export { registerVisualization } from './result/visualizations/registered.ts';
export { pageClient, type TokenSource, takeClient } from './runtime/clients.ts';
export {
  commonProperties,
  type ElementSpec,
  type EventSpec,
  type LazyView,
  type MethodSpec,
  type PropertyKind,
  type PropertySpec,
  type ViewProps,
} from './runtime/define-element.ts';
export type {
  EmptyDetail,
  NoteDetail,
  ParagraphDetail,
  SelectDetail,
  TidingElement,
  TidingEvent,
  TidingEventDetails,
  TidingEventName,
  WidgetInput,
} from './runtime/element-types.ts';
export type { LazyValue } from './runtime/lazy-value.ts';
export type { NavigationPage } from './shell/pages.ts';
export { onTexts } from './text/areas.ts';
export { loadTexts, type SomeTexts, setTexts, type Texts, texts } from './wording/set-texts.ts';
export { elementClass };
