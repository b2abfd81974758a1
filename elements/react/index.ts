/**
 * Hooks over the client, and the provider that gives components and hooks a server. The built
 * module also has a component for each element, such as `Paragraph` for `<tiding-paragraph>`.
 * Importing it has no side effects.
 *
 * @module @tiding/elements/react
 */

export * from './hooks.ts';
