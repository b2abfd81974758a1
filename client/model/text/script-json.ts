/** Formats a value as JSON for a `<script>` element, which no text in it can end. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c');
