/**
 * Masks rrweb events before anything is stored, whether or not the recorder has already masked them. What is masked
 * does not depend on the sender; see docs/recordings.md. All functions change the parsed JSON in place.
 */

import { parsedUrl } from './hosts.ts'

/** How much is masked: `moderate` masks typed text, `strict` all text. */
export type MaskLevel = 'moderate' | 'strict'

/** The part of an rrweb event that the server reads. */
export interface RecordedEvent {
  readonly type: number
  /** In milliseconds since 1970, by the browser's clock. */
  readonly timestamp: number
  readonly data?: unknown
}

/** The numbers that rrweb uses for kinds of events, changes and nodes. */
const fullSnapshot = 2
const incremental = 3
const meta = 4
const custom = 5
const mutation = 0
const input = 5
const elementNode = 2
const textNode = 3
/** CDATA and comments. */
const unseenNodes: ReadonlySet<unknown> = new Set([4, 5])

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const itemsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Fields that people fill in. A custom element may be one. */
const mayBeTyped = (tag: string): boolean => /^(input|textarea|select|option)$|-/.test(tag)
/** Fields whose text content is their value. */
const textFields = new Set(['textarea', 'option'])
/** Used as the tag of elements with `contenteditable`. */
const editable = 'editable'
/** Elements that show the selected option. */
const choices = new Set(['select', 'selectedcontent'])
const scripts = new Set(['script', 'noscript'])
const said = new Set([
  ...['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-placeholder'],
  ...['aria-roledescription', 'aria-valuetext'],
])
const addresses = new Set(['href', 'src', 'xlink:href', 'rr_src', 'action', 'formaction', 'data'])

/** Masks the events in one request. */
export class Mask {
  readonly #isStrict: boolean
  /**
   * The tags of elements whose text is masked or dropped, by element id. Added nodes refer to their parents by these
   * ids.
   */
  readonly #tags = new Map<unknown, string>()

  constructor(level: MaskLevel) {
    this.#isStrict = level === 'strict'
  }

  event({ type, data }: RecordedEvent): void {
    if (!isObject(data)) return
    if (type === fullSnapshot) this.#node(data.node, undefined)
    if (type === incremental && data.source === mutation) this.#mutation(data)
    if (type === incremental && data.source === input) this.#input(data)
    if (type === meta) withoutUser(data, 'href')
    if (type === custom && isObject(data.payload)) withoutUser(data.payload, 'url')
  }

  #input(data: Json): void {
    if (data.text !== undefined) data.text = typeof data.text === 'string' ? '*'.repeat(data.text.length) : '*'
    if (this.#isStrict && data.isChecked !== undefined) data.isChecked = false
  }

  #mutation(data: Json): void {
    const added = itemsOf(data.adds)
    // A node may come before its parent.
    for (const { node } of added) this.#learn(node)
    for (const { node, parentId } of added) this.#node(node, this.#tags.get(parentId))
    for (const change of itemsOf(data.attributes)) {
      if (isObject(change.attributes)) this.#attributes(change.attributes, undefined)
    }
    for (const change of itemsOf(data.texts)) {
      if (typeof change.value !== 'string') continue
      const tag = this.#tags.get(change.id)
      if (this.#isStrict || tag !== undefined) change.value = this.#text(change.value, tag)
    }
  }

  #learn(node: unknown): void {
    if (!isObject(node) || node.type !== elementNode || typeof node.tagName !== 'string') return
    const tag = node.tagName.toLowerCase()
    if (textFields.has(tag) || choices.has(tag) || scripts.has(tag) || tag === 'style') this.#tags.set(node.id, tag)
    else if (isEditable(node.attributes)) this.#tags.set(node.id, editable)
  }

  /** `parent`: the tag of the element around this node, if that element's text is masked or dropped. */
  #node(node: unknown, parent: string | undefined): void {
    if (!isObject(node)) return
    this.#learn(node)
    if (node.type === textNode && typeof node.textContent === 'string') {
      if (parent !== undefined) this.#tags.set(node.id, parent)
      node.textContent = this.#text(node.textContent, node.isStyle === true ? 'style' : parent)
    }
    if (this.#isStrict && unseenNodes.has(node.type) && typeof node.textContent === 'string') {
      node.textContent = this.#text(node.textContent, undefined)
    }
    const tag = node.type === elementNode && typeof node.tagName === 'string' ? node.tagName.toLowerCase() : undefined
    if (isObject(node.attributes)) this.#attributes(node.attributes, tag ?? '')
    const own = this.#tags.get(node.id)
    for (const child of itemsOf(node.childNodes)) this.#node(child, own ?? inherited(parent))
  }

  #text(text: string, tag: string | undefined): string {
    if (tag === 'style') return text
    if (tag !== undefined && scripts.has(tag)) return ''
    if (tag !== undefined && textFields.has(tag)) return text === '' ? '' : '*'
    const isTyped = tag !== undefined && (tag === editable || choices.has(tag))
    return this.#isStrict || isTyped ? text.replace(/\S/g, '*') : text
  }

  /** `tag`: undefined for an attribute change, which does not say what tag it is for. */
  #attributes(attributes: Json, tag: string | undefined): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) continue
      const known = name.toLowerCase()
      if (known === 'value' && (tag === undefined || mayBeTyped(tag))) attributes[name] = '*'
      else if (known === 'label' && (tag === undefined || tag === 'option')) attributes[name] = '*'
      else if (known === 'selected' || (known === 'checked' && this.#isStrict)) delete attributes[name]
      else if (known.startsWith('on') || known === 'srcdoc' || (addresses.has(known) && isCode(value))) {
        attributes[name] = ''
      } else if (this.#isStrict && said.has(known)) attributes[name] = '*'
    }
  }
}

/** Everything inside a field or a script is treated as part of it, at any depth. */
const inherited = (parent: string | undefined): string | undefined => (parent === 'style' ? undefined : parent)

const isEditable = (attributes: unknown): boolean =>
  isObject(attributes) &&
  Object.entries(attributes).some(
    ([name, value]) => name.toLowerCase() === editableName && !(typeof value === 'string' && /^false$/i.test(value)),
  )

const editableName = 'contenteditable'

/** Browsers ignore whitespace and control characters before a URL, and line breaks within it. */
const isCode = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:javascript:|data:text\/html)/i.test(value.replace(/[\0- ]/g, ''))

/** Removes the username and password from a URL. */
function withoutUser(holder: Json, name: string): void {
  const text = holder[name]
  if (typeof text !== 'string' || !text.includes('@')) return
  const url = parsedUrl(text)
  if (!url || (url.username === '' && url.password === '')) return
  url.username = ''
  url.password = ''
  holder[name] = url.href
}
