/** JSON may be nested as deep as this. What writes it again does so by recursion, and deeper texts would fail there. */
export const maxJsonDepth = 50

/** Whether arrays and objects stand in one another deeper than `maxJsonDepth`. What is no JSON may be taken for either. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < json.length; index++) {
    const char = json[index]
    if (char === '"') isText = !isText
    else if (isText) index += char === '\\' ? 1 : 0
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    if (depth > maxJsonDepth) return true
  }
  return false
}

/** The value of a JSON text; throws where it is none, or is nested too deep. */
export function parseJson(json: string): unknown {
  if (isTooDeep(json)) throw new Error(`JSON may be nested at most ${maxJsonDepth} deep.`)
  return JSON.parse(json)
}
