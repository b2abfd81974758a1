/** Element that compares two profiles, set as two properties. */
import { createElement, useMemo } from 'react';
import type { ElementSpec, ViewProps } from '../../runtime/define-element.ts';
import { lazyView } from '../../runtime/lazy-view.ts';
import { widgetElement } from '../widget-element.ts';

/** Unwraps a profile from its envelope. */
const inside = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'widget' in value && 'data' in value
    ? value.data
    : value;

/** Spec of the `<tiding-profile-comparison>` element. */
export function comparisonElement(): ElementSpec {
  const plain = widgetElement(
    'tiding-profile-comparison',
    'Compares two profiles of the same data set: fields added, removed or with a new type, ' +
      'and changed counts.',
  );
  return {
    ...plain,
    view: lazyView(() =>
      import('../widget-view.tsx').then(({ widgetView, widgetSheets }) => {
        const View = widgetView('profile-comparison');
        const Compared = ({ host, values }: ViewProps) => {
          const { older, newer, data } = values;
          const given = useMemo(
            () =>
              older === undefined && newer === undefined
                ? data
                : { before: inside(older), after: inside(newer) },
            [older, newer, data],
          );
          return createElement(View, {
            host,
            values: useMemo(() => ({ ...values, data: given }), [values, given]),
          });
        };
        return { default: Compared, sheets: widgetSheets };
      }),
    ),
    properties: {
      // `before` and `after` are methods of every element.
      older: {
        kind: 'json',
        valueType: "WidgetInput<'data-set-profile'>",
        doc: 'The older profile, in the format of <tiding-profile>.',
      },
      newer: {
        kind: 'json',
        valueType: "WidgetInput<'data-set-profile'>",
        doc: 'The newer profile.',
      },
      data: {
        kind: 'json',
        valueType: "WidgetInput<'profile-comparison'>",
        doc: 'Both profiles: {before, after}. The properties `older` and `newer` take precedence.',
      },
    },
  };
}
