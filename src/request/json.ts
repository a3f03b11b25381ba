/**
 * The maximum nesting depth of JSON. Code that serialises the value again is recursive, and would fail if it were
 * nested deeper.
 */
export const maxJsonDepth = 50

/** Whether arrays and objects are nested deeper than this. For malformed JSON, the result is arbitrary. */
export function isTooDeep(json: string, deepest = maxJsonDepth): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index++) {
    const char = json[index]
    if (char === '"') isText = !isText
    else if (isText) index += char === '\\' ? 1 : 0
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    if (depth > deepest) return true
  }
  return false
}

/** Parses JSON; throws if it is malformed or nested too deep. */
export function parseJson(json: string): unknown {
  if (isTooDeep(json)) throw new Error(`JSON may be nested at most ${maxJsonDepth} deep.`)
  return JSON.parse(json)
}
