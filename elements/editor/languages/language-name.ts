/** Alternative names used by interpreters for the same language. */
const aliases: Record<string, string> = {
  md: 'markdown',
  py: 'python',
  js: 'javascript',
  typescript: 'javascript',
  jsonc: 'json',
  xml: 'html',
  yml: 'yaml',
  bash: 'sh',
  shell: 'sh',
};

/** Normalizes a mode name: accepts `ace/mode/python` and aliases such as `md`. */
export function languageName(mode: string | undefined): string {
  const name = (mode ?? '').replace(/^ace\/mode\//, '').toLowerCase();
  return aliases[name] ?? name;
}
