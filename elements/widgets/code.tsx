/** Highlighted read-only code in a widget. */
import { editorSheets, StaticCode } from '../editor/index.ts';
import { useSheets } from '../runtime/use-sheets.ts';

const languages = new Map(
  Object.entries({
    sqlmapper: 'sql',
    sql: 'sql',
    python: 'python',
    scala: 'scala',
    r: 'r',
    magpie: 'magpie',
    javascript: 'javascript',
    shell: 'sh',
    sh: 'sh',
  }),
);

interface CodeProps {
  text: string;
  language: string | undefined;
  label?: string | undefined;
  boxed?: boolean;
}

/**
 * A script with line numbers or, with `boxed`, a query in a box. `language` is a task type: Python,
 * SqlMapper…
 */
export function Code({ text, language, label = language, boxed = false }: CodeProps) {
  useSheets(editorSheets);
  const mode = languages.get(language?.toLowerCase() ?? '');
  return (
    <div
      className={boxed ? 'widget-code boxed' : 'widget-code'}
      dir="ltr"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <StaticCode
        text={text}
        lineNumbers={!boxed}
        {...(mode === undefined ? {} : { language: mode })}
      />
    </div>
  );
}
