/**
 * Returns the user names in a typed or pasted text: separated by commas, semicolons or white space.
 * Of an address with a display name, as mail programs copy it, only the address is kept.
 */
export function invitedNames(text: string): string[] {
  const names = text
    .split(/[,;\n]+/)
    .flatMap((part) => /<([^<>]*)>/.exec(part)?.[1] ?? part.split(/\s+/))
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set(names)];
}
