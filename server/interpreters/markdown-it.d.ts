/** Types for the part of markdown-it that is used here, because the package has none. */
declare module 'markdown-it' {
  interface Token {
    attrSet(name: string, value: string): void;
  }
  interface Renderer {
    rules: Record<string, RenderRule | undefined>;
    renderToken(tokens: Token[], index: number, options: object): string;
  }
  type RenderRule = (
    tokens: Token[],
    index: number,
    options: object,
    env: unknown,
    self: Renderer,
  ) => string;
  export default class MarkdownIt {
    constructor(options?: { html?: boolean; linkify?: boolean; typographer?: boolean });
    renderer: Renderer;
    render(source: string): string;
  }
}
