/**
 * Reads properties of the page. An element's `name` or `id` can hide properties of `document`, `window` and forms.
 * Therefore, everything is read through prototypes, which elements cannot change.
 */

declare global {
  interface Document {
    /** TypeScript's types lack this property. */
    readonly prerendering?: boolean
  }
}

/** A property of the document, or of a frame's document. */
export const inDocument = <Name extends keyof Document>(name: Name, of = document): Document[Name] =>
  Reflect.get(Document.prototype, name, of)

/** All elements of the document that match the selector. */
export const matching = (selector: string): Element[] => [
  ...Document.prototype.querySelectorAll.call(document, selector),
]

/** An element's attribute. This also works for forms. */
export const attributeOf = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name)

/** `Node.DOCUMENT_POSITION_PRECEDING`, in fewer bytes. */
const preceding = 2

/**
 * The URL from which a script was loaded. A `<base>` after its tag is ignored. Throws unless the element is an HTML
 * script.
 */
function sourceOf(script: Element): string | URL {
  const source: string = Reflect.get(HTMLScriptElement.prototype, 'src', script)
  return matching('base[href]')[0]?.compareDocumentPosition(script) === preceding
    ? new URL(script.getAttribute('src')!, location.href)
    : source
}

/**
 * A plain object in a global variable of the page. Empty if the variable is an element, a collection or anything else.
 */
export function plain(name: string): Readonly<Record<string, unknown>> {
  const value = Object(Reflect.get(window, name))
  return Reflect.getPrototypeOf(value) === Object.prototype ? value : {}
}

/** A setting from the page's `umamiConfig`, by attribute name. */
export function configured(name: string): string | undefined {
  const key = name.replace(/-./g, (part) => part[1]!.toUpperCase())
  const value = new Map(Object.entries(plain('umamiConfig'))).get(key)
  return /^(str|num|boo)/.test(typeof value) ? String(value) : undefined
}

/** A script's setting, from its attribute or else from the page's `umamiConfig`. */
export const settingOf = (script: Element, name: string): string | undefined =>
  script.getAttribute(`data-${name}`) ?? configured(name)

/**
 * Starts the script for its tag, with the tag's URL. If it was loaded as a module, there is no `currentScript`, so it
 * starts for all tags that have a website id and one of these paths.
 */
export function startEach(paths: string[], start: (script: Element, source: string | URL) => void): void {
  const current = inDocument('currentScript')
  for (const tag of current ? [current] : matching('script[type=module][data-website-id]')) {
    quietly(() => {
      const source = sourceOf(tag)
      if (current || paths.some((path) => new URL(source).pathname.endsWith(path))) start(tag, source)
    })
  }
}

/** The part of a URL that may be sent. `isSet` returns whether a setting is `true`. */
export function shortened(text: string, base: URL | string, isSet: (name: string) => boolean): string {
  const url = new URL(text, base)
  if (isSet('exclude-search')) url.search = ''
  if (isSet('exclude-hash')) url.hash = ''
  return url.href
}

/** Whether nothing may be sent, because a list of domains lacks this host or because the visitor objects. */
export const isForbidden = (host: string, domains: string[], isSet: (name: string) => boolean): boolean =>
  domains.some((list) => !list.toLowerCase().split(/[\s,]/).includes(host)) ||
  // A visitor objects if Do Not Track is `1` or Global Privacy Control is `true`.
  (isSet('do-not-track') && /1|true/.test(navigator.doNotTrack + Object(navigator).globalPrivacyControl)) ||
  isOptedOut()

/** Whether the owner of this browser has turned the tracker off. */
function isOptedOut(): boolean {
  try {
    return !!localStorage.getItem('umami.disabled')
  } catch {
    return false
  }
}

export const noop = (): void => {}

/** Runs `work` whenever a script of the page has set its URL. */
export function onSetUrl(work: () => unknown): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    // The page may have frozen these methods.
    quietly(() => {
      const original = history[name]
      history[name] = function (...given) {
        original.apply(this, given)
        quietly(work)
      }
    })
  }
}

/** Errors here must not affect the page. */
export function quietly(work: () => unknown): void {
  try {
    work()
  } catch {
    // The page works without the script.
  }
}
