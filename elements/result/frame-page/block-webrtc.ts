/**
 * Removes WebRTC from this window and from pages that it contains. No content security policy
 * covers WebRTC, so an output could reach any host with it.
 *
 * Pages in `srcdoc` get their own window with the policy and rights of this one: this function is
 * put in front of them as text, so it must not refer to anything outside of it.
 */
export function blockWebRtc(): void {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection'])
    Object.defineProperty(window, name, { value: undefined });

  const script = `<script>(${blockWebRtc})()</script>`;
  // The observer would not see inside shadow roots made by the parser.
  const withoutShadowRoots = (html: string): string =>
    html.replace(/shadowrootmode/gi, 'data-shadowrootmode');
  const guard = (frame: HTMLIFrameElement): void => {
    const { srcdoc } = frame;
    if (srcdoc === '' || srcdoc.includes(script)) return;
    const doctype = /^\s*<!doctype[^>]*>/i.exec(srcdoc)?.[0] ?? '';
    frame.srcdoc = doctype + script + withoutShadowRoots(srcdoc.slice(doctype.length));
  };
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (target instanceof HTMLIFrameElement) guard(target);
      for (const node of addedNodes) {
        if (node instanceof HTMLIFrameElement) guard(node);
        if (node instanceof Element)
          for (const frame of node.querySelectorAll('iframe')) guard(frame);
      }
    }
  });
  const watch = (root: Node): void =>
    observer.observe(root, { childList: true, subtree: true, attributeFilter: ['srcdoc'] });
  watch(document);

  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    watch(root);
    return root;
  };
  for (const name of ['write', 'writeln'] as const) {
    const original = Document.prototype[name];
    Document.prototype[name] = function (...parts: string[]) {
      original.call(this, withoutShadowRoots(parts.join('')));
    };
  }
  for (const type of [Element, ShadowRoot])
    Object.defineProperty(type.prototype, 'setHTMLUnsafe', { value: undefined });
  Object.defineProperty(Document, 'parseHTMLUnsafe', { value: undefined });
}
