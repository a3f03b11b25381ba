/**
 * What rrweb's own options do not mask, in its events before they are sent. The server masks again:
 * src/collect/masking.ts. Everything is changed in place.
 */

/** An event of rrweb, as far as it is looked at. */
export interface RrwebEvent {
  readonly type: number
  readonly timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: its types have a shape for each of twenty sources
  readonly data?: any
}

/** The numbers of rrweb. */
export const fullSnapshot = 2
export const meta = 4
const incremental = 3
const mutation = 0
const input = 5

interface Node {
  readonly tagName?: string
  readonly attributes?: Record<string, unknown>
  childNodes?: Node[]
}

/** Fields that people fill in. */
const isField = (tag: string): boolean => /^(input|textarea|select|option)$/.test(tag)

/** Attributes with code, or with a page of their own. A frame of another origin stays empty. */
const isCode = (name: string): boolean => /^(on.*|srcdoc|rr_src)$/.test(name)

const isSaid = (name: string): boolean => /^(title|alt|placeholder|aria-label|label)$/.test(name)

/** `shown`: a URL as far as it may be sent. */
export function masker(isStrict: boolean, shown: (url: string) => string): (event: RrwebEvent) => void {
  /** `tag`: undefined for a change, which names no element. */
  const maskAttributes = (attributes: Record<string, unknown>, tag?: string): void => {
    for (const [name, value] of Object.entries(attributes)) {
      const known = name.toLowerCase()
      const isOwn = known === 'value' || (known === 'label' && tag === 'option')
      if (isCode(known)) delete attributes[name]
      else if (value === null) continue
      else if (isOwn && (isStrict || tag === undefined || isField(tag))) attributes[name] = '*'
      else if (isStrict && isSaid(known)) attributes[name] = '*'
      else if (isStrict && /^(checked|selected)$/.test(known)) delete attributes[name]
    }
    // What is left out has the same look, whatever selector found it.
    if (attributes.rr_width !== undefined) attributes.class = `${attributes.class ?? ''} rr-block`.trim()
  }
  const maskNode = (node: Node): void => {
    if (node.attributes) maskAttributes(node.attributes, node.tagName)
    if (node.tagName === 'noscript') node.childNodes = []
    for (const child of node.childNodes ?? []) maskNode(child)
  }

  return ({ type, data }) => {
    if (type === meta) data.href = shown(data.href)
    if (type === fullSnapshot) maskNode(data.node)
    if (type === incremental && data.source === mutation) {
      for (const { node } of data.adds) maskNode(node)
      for (const { attributes } of data.attributes) maskAttributes(attributes)
    }
    if (type === incremental && data.source === input) {
      data.text = '*'.repeat(data.text.length)
      if (isStrict) data.isChecked = false
    }
  }
}

/** Whether the text of an element is masked: one of these holds it, also from beyond a shadow or a frame. */
export function isWithin(selector: string, element: Element | null): boolean {
  // The text of a shadow itself has no element. Editors in frames switch their whole document on.
  if (!element || element.closest(selector) || element.ownerDocument.designMode === 'on') return true
  const root = element.getRootNode() as unknown as { host?: Element; defaultView?: Window | null }
  const around = root.host ?? root.defaultView?.frameElement
  return !!around && isWithin(selector, around)
}
