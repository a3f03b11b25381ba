/** What an owner pastes into pages: the page of a share in a frame, and a badge with its visitors. */
interface Snippets {
  /** HTML of a frame as high as its content. Only pages of the share's `frameAncestors` may have it. */
  readonly embed: string
  /** HTML of an image with the visitors of 30 days, which leads to the page. The share must open `overview`. */
  readonly badge: string
}

interface Place {
  /** Where Weir is: `https://weir.example`. */
  readonly origin: string
  readonly slug: string
}

/** The name of a share is for its owner alone, so neither contains it. */
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
