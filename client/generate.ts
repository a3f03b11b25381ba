import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { families } from '../src/endpoints/index.ts'
import { openapi } from '../src/serve/openapi.ts'
import { priceType } from '../src/serve/price.ts'

const head = `/**
 * The types of Weir's API, made from its OpenAPI document by \`npm run client\`.
 */

`

/** The description of a parameter stands once, with the parameter, and not with each operation that takes it. */
const repeatedDescription = /^ *\/\*\* @description .* \*\/\n(?=.*: components\["parameters"\])/gm

/** The client asks for answers, not for their price. It knows no headers. */
const isLeftOut = (key: string): boolean => key === 'headers' || key === priceType

/** The text of `openapi.d.ts`: the types of all operations. */
export async function clientTypes(): Promise<string> {
  const text = JSON.stringify(openapi(families), (key, value) => (isLeftOut(key) ? undefined : value))
  // A field with a default may be left out.
  const types = await openapiTS(JSON.parse(text) as OpenAPI3, { defaultNonNullable: false })
  return head + astToString(types).replace(repeatedDescription, '')
}

const file = fileURLToPath(new URL('openapi.d.ts', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, await clientTypes())
