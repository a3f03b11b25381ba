/** Prepares the page for use in a frame, and posts its height to the parent page: `{ type: 'weir:height', height }`. */
export function embed(content: Element): void {
  document.documentElement.dataset.embed = ''
  // Only pages that the share lists may frame this page, and they may know its height.
  const tell = () => parent.postMessage({ type: 'weir:height', height: Math.ceil(content.scrollHeight) }, '*')
  new ResizeObserver(tell).observe(content)
}
