/** HTML that an owner can paste into pages: a frame with the share's page, and a badge with its number of visitors. */
interface Snippets {
  /** HTML of a frame that is as high as its content. It works only on pages in the share's `frameAncestors`. */
  readonly embed: string
  /**
   * HTML of an image that shows the number of visitors in 30 days and links to the page. The share must open
   * `overview`.
   */
  readonly badge: string
}

interface Place {
  /** Weir's address: `https://weir.example`. */
  readonly origin: string
  readonly slug: string
}

/** The HTML must not contain the share's name, because only its owner may see that. */
export function shareSnippets({ origin, slug }: Place): Snippets {
  const page = `${origin}/share/${encodeURIComponent(slug)}`
  const image = `${origin}/badge/${encodeURIComponent(slug)}.svg`
  return {
    embed: `<iframe src="${escaped(page)}?embed=1" title="Visitors of this website" style="width: 100%; height: 40rem; border: 0"></iframe>
<script>
  addEventListener('message', ({ source, data }) => {
    for (const frame of document.querySelectorAll('iframe[src*="/share/"]')) {
      if (frame.contentWindow === source && data?.type === 'weir:height') frame.style.height = \`\${Number(data.height)}px\`
    }
  })
</script>`,
    badge: `<a href="${escaped(page)}"><img src="${escaped(image)}" alt="Visitors of this website" height="20" /></a>`,
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!)
