/**
 * Selects the parts of a recording that are played. Recordings come from strangers, who may not even use a recorder.
 * The frame's sandbox and policy block scripts and requests. This file removes everything else that is harmful: hints
 * that make browsers open connections, frames with their own documents, and shapes that would stop rrweb.
 */

type Json = Record<string, unknown>

/** An rrweb event that can be played. */
export interface Playable {
  readonly type: number
  /** Milliseconds since 1970. */
  timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: rrweb's types have a shape for each of twenty sources
  readonly data: any
}

/** rrweb's numbers for event types. */
export const fullSnapshot = 2
const incremental = 3
export const meta = 4
export const custom = 5
const [documentNode, elementNode] = [0, 2]

/** Whether the event is an action of the visitor: a move, click, scroll, resize, input or touch. */
export const isDoing = ({ type, data }: Pick<Playable, 'type' | 'data'>): boolean =>
  type === incremental && data.source >= 1 && data.source <= 6

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const itemsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const isNumber = (value: unknown): value is number => Number.isFinite(value)

/** Parses a line of JSON. Returns undefined for an event that is not played. */
export function playable(line: string): Playable | undefined {
  let event: unknown
  try {
    event = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isObject(event) || !isNumber(event.type) || !isNumber(event.timestamp)) return undefined
  const { type, timestamp, data } = event
  if (!isObject(data)) return undefined
  if (type === fullSnapshot && !cleanSnapshot(data)) return undefined
  if (type === incremental && !sources.get(data.source)?.(data)) return undefined
  if (type === meta && !isView(data)) return undefined
  return type >= fullSnapshot && type <= custom ? { type, timestamp, data } : undefined
}

function cleanSnapshot(data: Json): boolean {
  if (!isObject(data.node) || data.node.type !== documentNode) return false
  const { top, left } = isObject(data.initialOffset) ? data.initialOffset : {}
  data.initialOffset = { top: isNumber(top) ? top : 0, left: isNumber(left) ? left : 0 }
  return cleanNode(data.node)
}

/** The content that each kind of change must have. Other kinds, such as canvases and console output, are not played. */
const sources: ReadonlyMap<unknown, (data: Json) => boolean> = new Map([
  [0, cleanMutation],
  ...[1, 6, 12].map((source) => [source, hasPositions] as const),
  [2, ({ id, type }) => isNumber(id) && isNumber(type) && type >= 0 && type <= 10],
  [3, ({ id, x, y }) => [id, x, y].every(isNumber)],
  [4, isView],
  [5, ({ id, text }) => isNumber(id) && typeof text === 'string'],
  [7, ({ id }) => isNumber(id)],
  [8, hasRules],
  [10, ({ family, fontSource }) => typeof family === 'string' && typeof fontSource === 'string'],
  [13, ({ index }) => Array.isArray(index)],
  [14, ({ ranges }) => Array.isArray(ranges)],
  [15, ({ id, styleIds }) => isNumber(id) && Array.isArray(styleIds)],
])

/** The largest width or height of a window, in pixels. */
const maxSize = 20_000

function isView({ width, height }: Json): boolean {
  return [width, height].every((size) => isNumber(size) && size >= 1 && size <= maxSize)
}

function hasPositions(data: Json): boolean {
  const positions = itemsOf(data.positions).filter(({ x, y, id, timeOffset }) => [x, y, id, timeOffset].every(isNumber))
  data.positions = positions
  return positions.length > 0
}

function hasRules(data: Json): boolean {
  for (const name of ['adds', 'removes']) if (data[name] !== undefined) data[name] = itemsOf(data[name])
  return true
}

function cleanMutation(data: Json): boolean {
  data.adds = itemsOf(data.adds).filter((add) => isNumber(add.parentId) && isObject(add.node) && cleanNode(add.node))
  for (const name of ['removes', 'texts', 'attributes']) data[name] = itemsOf(data[name])
  for (const change of data.attributes as Json[]) change.attributes = attributesOf(change.attributes)
  return true
}

/** Elements that give the browser instructions and show nothing. */
const hints = /^(?:link|meta|base)$/i
/** A name that `createElement` accepts. */
const elementName = /^[a-z][\w.-]*$/i
/** The name of a custom element. */
const customName = /^[a-z][a-z0-9._]*-[a-z0-9._-]*$/
const reservedNames = /^(?:annotation-xml|color-profile|font-face(?:-.*)?|missing-glyph)$/

function cleanNode(node: Json): boolean {
  if (!isNumber(node.type) || !isNumber(node.id)) return false
  if (node.type === elementNode) cleanElement(node)
  if (node.type === elementNode || node.type === documentNode)
    node.childNodes = itemsOf(node.childNodes).filter(cleanNode)
  else if (node.type !== 1) node.textContent = String(node.textContent ?? '')
  return true
}

function cleanElement(node: Json): void {
  node.attributes = attributesOf(node.attributes)
  const attributes = node.attributes as Json
  if (typeof node.tagName !== 'string' || !elementName.test(node.tagName)) node.tagName = 'div'
  const name = node.tagName as string
  if (/^iframe$/i.test(name)) delete attributes.src
  // If the recorder could read a style sheet, its text is in `_cssText`, and rrweb turns the link into a `style`.
  const isRead = name === 'link' && typeof attributes._cssText === 'string'
  if (hints.test(name) && !isRead) [node.tagName, node.attributes] = ['noscript', {}]
  if (!customName.test(name) || reservedNames.test(name)) delete node.isCustom
}

/** Attributes with code, documents, or addresses that no policy covers. */
const isUnwanted = (name: string): boolean => /^(?:on.*|srcdoc|ping|attributionsrc|http-equiv|is)$/i.test(name)
const attributeName = /^[^\s"'<>/=\0]+$/

/** An element may have a long name and many attributes, so each of them is checked only once. */
function attributesOf(given: unknown): Json {
  if (!isObject(given)) return {}
  const fits = ([name]: readonly [string, unknown]) => attributeName.test(name) && !isUnwanted(name)
  return Object.fromEntries(Object.entries(given).filter(fits))
}
