/** The tag that compares two profiles, by two properties. */
import { createElement, useMemo } from 'react';
import type { ElementSpec, ViewProps } from '../../runtime/define-element.ts';
import { lazyView } from '../../runtime/lazy-view.tsx';
import { widgetElement } from '../widget-element.ts';

/** A profile in an envelope is the profile. */
const inside = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'widget' in value && 'data' in value
    ? value.data
    : value;

/** `<tiding-profile-comparison>` */
export function comparisonElement(): ElementSpec {
  const plain = widgetElement(
    'tiding-profile-comparison',
    'profile-comparison',
    'What has changed between two profiles of the same data set: fields added, removed, of another type, counts.',
  );
  return {
    ...plain,
    view: lazyView(() =>
      import('../widget-view.tsx').then(({ widgetView, widgetSheets }) => {
        const View = widgetView('profile-comparison');
        const Compared = ({ host, values }: ViewProps) => {
          const { before, after, data } = values;
          const given = useMemo(
            () =>
              before === undefined && after === undefined
                ? data
                : { before: inside(before), after: inside(after) },
            [before, after, data],
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
      before: { kind: 'json', doc: 'The older profile, as <tiding-profile> takes it.' },
      after: { kind: 'json', doc: 'The newer profile.' },
      data: { kind: 'json', doc: 'Both in one: {before, after}. The properties stand before it.' },
    },
  };
}
