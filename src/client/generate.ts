import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { families } from '../endpoints/index.ts'
import { openapi } from '../serve/openapi.ts'
import { priceType } from '../serve/price.ts'

const head = `/**
 * The types of Weir's API, made from its OpenAPI document by \`npm run client\`.
 */

`

/** Descriptions of parameters that repeat the one of the parameter itself. */
const repeatedDescription = /^ *\/\*\* @description .* \*\/\n(?=.*: components\["parameters"\])/gm

/** The client asks for answers, not for their price. It knows no headers. */
const isLeftOut = (key: string): boolean => key === 'headers' || key === priceType

const text = JSON.stringify(openapi(families), (key, value) => (isLeftOut(key) ? undefined : value))
// A field with a default may be left out.
const types = await openapiTS(JSON.parse(text) as OpenAPI3, { defaultNonNullable: false })
const file = fileURLToPath(new URL('openapi.d.ts', import.meta.url))
writeFileSync(file, head + astToString(types).replace(repeatedDescription, ''))
