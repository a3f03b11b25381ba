/**
 * Before rrweb's events are sent, masks or removes everything that rrweb's own options miss. The server masks them
 * again (src/collect/masking.ts). All changes are made in place.
 */

import { inDocument } from '../tracker/page.ts'

/** The parts of an rrweb event that are read here. */
export interface RrwebEvent {
  readonly type: number
  readonly timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: rrweb has a shape for each of twenty sources
  readonly data?: any
}

/** The numbers of rrweb's event types. */
export const fullSnapshot = 2
export const meta = 4
const incremental = 3
const mutation = 0
const mouseInteraction = 2
const input = 5

interface Mutation {
  adds: { readonly parentId: number; readonly node: Recorded }[]
  attributes: { readonly id: number; readonly attributes: Record<string, unknown> }[]
  texts: { readonly id: number; value: string | null }[]
  readonly removes: readonly object[]
}

interface Recorded {
  readonly id: number
  readonly tagName?: string
  attributes?: Record<string, unknown>
  childNodes?: Recorded[]
  textContent?: string
}

/**
 * Facts about the page's real elements. A form field named `matches` shadows that method of its form. rrweb calls such
 * methods, so it may not notice that a form must be left out, or that the text directly inside it must be masked.
 */
interface Originals {
  /** The size of the element if it is left out. */
  boxOf(id: number): { readonly rr_width: string; readonly rr_height: string } | undefined
  /** The part of a text that may be sent. */
  textOf(id: number, text: string): string
}

/** Fields that people fill in. Custom elements may also be fields. */
const isField = (tag: string): boolean => /^(input|textarea|select|option)$|-/.test(tag)

/** The kind of value that an attribute has, according to its name. */
type Kind = 'code' | 'told' | 'value' | 'label' | 'said' | 'chosen' | 'checked' | 'address' | undefined

/** `code` includes the pages of frames (`srcdoc`, `rr_src`), so a frame from another origin stays empty. */
const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['code', /^(on.*|srcdoc|rr_src)$/],
  // These values are not shown to visitors, and one of them may be a session key.
  ['told', /^content$/],
  ['value', /^value$/],
  ['label', /^label$/],
  ['said', /^(title|alt|placeholder|aria-(label|description|placeholder|roledescription|valuetext))$/],
  ['chosen', /^selected$/],
  ['checked', /^checked$/],
  ['address', /^(src|srcset|href|xlink:href|poster|data)$/],
]

/** The maximum number of cached attribute names. A page has thousands of attributes, but few names. */
const mostNames = 1000

/** Returns false if nothing of the event may be sent. `shown` returns the part of a URL that may be sent. */
export function masker(
  isStrict: boolean,
  shown: (url: string) => string,
  { boxOf, textOf }: Originals,
): (event: RrwebEvent) => boolean {
  const names = new Map<string, Kind>()
  /** Matches URLs that contain a page. If all text is masked, also matches image data, which may show text. */
  const holding = isStrict ? /(^|[\s,])data:/i : /^\s*data:text\/html/i
  const kindOf = (name: string): Kind => {
    if (names.has(name)) return names.get(name)
    const kind = kinds.find(([, some]) => some.test(name.toLowerCase()))?.[0]
    if (names.size < mostNames) names.set(name, kind)
    return kind
  }

  /**
   * The ids of elements that are left out, and of nodes inside them that rrweb still records: documents of frames, and
   * additions to shadow trees.
   */
  const leftOut = new Set<number>()
  const leaveOut = (node: Recorded): void => {
    leftOut.add(node.id)
    for (const child of node.childNodes ?? []) leaveOut(child)
  }

  /** `tag` is undefined for a change of attributes, because such an event does not contain the element's tag. */
  const maskAttributes = (attributes: Record<string, unknown>, tag?: string): void => {
    for (const name in attributes) {
      const kind = kindOf(name)
      if (!kind) continue
      const value = attributes[name]
      if (kind === 'code' || kind === 'told' || kind === 'chosen' || (kind === 'checked' && isStrict))
        delete attributes[name]
      else if (value === null) continue
      else if (kind === 'value' ? isStrict || !tag || isField(tag) : kind === 'label' && (!tag || tag === 'option'))
        attributes[name] = '*'
      else if (isStrict && (kind === 'said' || kind === 'label')) attributes[name] = '*'
      else if (kind === 'address' && holding.test(`${value}`)) attributes[name] = ''
    }
  }
  /** `isAlone` means that rrweb may not have noticed that the text must be masked. */
  const maskNode = (node: Recorded, isAlone: boolean): void => {
    const { id, attributes, tagName, childNodes } = node
    const box = tagName === 'form' && attributes?.rr_width === undefined && boxOf(id)
    if (box) {
      leaveOut(node)
      node.attributes = { class: 'rr-block', ...box }
      node.childNodes = []
      return
    }
    if (isAlone && node.textContent) node.textContent = textOf(id, node.textContent)
    if (attributes) maskAttributes(attributes, tagName)
    if (attributes && attributes.rr_width !== undefined) {
      // All elements that are left out look the same, whatever selector matched them.
      attributes.class = `${attributes.class ?? ''} rr-block`.trim()
      leaveOut(node)
    } else if (leftOut.size > 0) leftOut.delete(id)
    if (tagName === 'noscript') node.childNodes = []
    else if (childNodes) for (const child of childNodes) maskNode(child, tagName === 'form')
  }

  /** Returns whether anything is left of the mutation. */
  const maskMutation = (data: Mutation): boolean => {
    data.adds = data.adds.filter(({ parentId, node }) => {
      const isLeftOut = leftOut.has(parentId)
      if (isLeftOut) leaveOut(node)
      else maskNode(node, true)
      return !isLeftOut
    })
    data.attributes = data.attributes.filter(({ id }) => !leftOut.has(id))
    data.texts = data.texts.filter(({ id }) => !leftOut.has(id))
    for (const text of data.texts) if (text.value) text.value = textOf(text.id, text.value)
    for (const { attributes } of data.attributes) maskAttributes(attributes)
    return [data.adds, data.attributes, data.texts, data.removes].some(({ length }) => length > 0)
  }

  return ({ type, data }) => {
    if (type === meta) data.href = shown(data.href)
    if (type === fullSnapshot) maskNode(data.node, false)
    if (type !== incremental) return true
    if (data.source === mutation) return maskMutation(data)
    if (data.source === input) {
      data.text = '*'.repeat(data.text.length)
      if (isStrict) data.isChecked = false
    }
    return data.source === mouseInteraction || !leftOut.has(data.id)
  }
}

/**
 * Whether the text of an element is masked because a `hidden` element contains it, even across the boundaries of shadow
 * trees and frames. `known` caches the answers for other elements while nothing changes.
 */
type IsWithin = (element: Element | null, known?: Map<Element, boolean>) => boolean

/** `hidden` returns whether the text of an element is masked. */
export function within(hidden: (element: Element) => boolean): IsWithin {
  const isWithin: IsWithin = (element, known) => {
    // Text directly inside a shadow root has no parent element.
    if (!element) return true
    const before = known?.get(element)
    if (before !== undefined) return before
    const is = hidden(element) || isBelow(element, known)
    known?.set(element, is)
    return is
  }
  const isBelow: IsWithin = (element, known) => {
    const parent: Element | null = Reflect.get(Node.prototype, 'parentElement', element!)
    if (parent) return isWithin(parent, known)
    // Some editors are frames whose whole document is editable.
    const owner: Document = Reflect.get(Node.prototype, 'ownerDocument', element!)!
    if (inDocument('designMode', owner) === 'on') return true
    const root = Node.prototype.getRootNode.call(element!)
    const around = root === owner ? inDocument('defaultView', owner)?.frameElement : (root as ShadowRoot).host
    return !!around && isWithin(around, known)
  }
  return isWithin
}
