import { selectedFields, type WidgetData } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { widgetTexts } from '../../text/widgets/index.ts';
import { validationTexts } from '../../text/widgets/validation.ts';
import type { WidgetModule } from '../contract.ts';
import { Facts, WidgetHead } from '../parts.tsx';
import { listed, titled } from '../sentences.ts';

const t = validationTexts;

export const fieldSelectorWidget: WidgetModule<WidgetData<'field-selector'>> = {
  describe: (data) => {
    const fields = selectedFields(data);
    const what = titled('field-selector', undefined);
    return fields
      ? fill(t.listSummary, {
          what,
          things: fields.kind === 'regex' ? fields.pattern : listed(fields.names),
        })
      : `${what}. ${t.noFields}`;
  },
  View: ({ data }) => {
    const fields = selectedFields(data);
    return (
      <>
        <WidgetHead title={widgetTexts.names['field-selector']} />
        {fields ? (
          <Facts
            of={[
              [t.type, data.fieldSelectorType || t.kinds[fields.kind]],
              [
                fields.kind === 'single' ? t.field : t.fields,
                fields.kind === 'regex' ? undefined : listed(fields.names),
              ],
              [t.pattern, fields.kind === 'regex' && <code>{fields.pattern}</code>],
            ]}
          />
        ) : (
          <>
            <Facts of={[[t.type, data.fieldSelectorType]]} />
            <p className="dim">{t.noFields}</p>
          </>
        )}
      </>
    );
  },
};
