import { writeFileSync } from 'node:fs'
import type { OpenAPI3, OperationObject, ParameterObject, ReferenceObject, ResponseObject } from 'openapi-typescript'
import { families } from '../../endpoints/index.ts'
import { openapi } from '../../serve/openapi.ts'
import { priceType } from '../../serve/price.ts'

const head = '/** Generated from the OpenAPI document by `npm run client`. */\n'

/** The OpenAPI document, without the parts that the client leaves out. */
export const document = JSON.parse(JSON.stringify(openapi(families))) as OpenAPI3 & {
  paths: Record<string, Record<string, OperationObject>>
}
const { components = {} } = document

// MCP clients speak this protocol themselves.
delete document.paths['/mcp']
for (const name of ['RpcMessage', 'RpcAnswer']) delete components.schemas?.[name]

// The client's types include no response headers, and the client never sends `dryRun`.
const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const responses = [...all, { responses: components.responses }].flatMap(({ responses = {} }) =>
  Object.values(responses),
)
for (const response of responses as ResponseObject[]) {
  delete response.headers
  delete response.content?.[priceType]
}
delete components.headers
for (const operation of all) {
  operation.parameters = operation.parameters?.filter((parameter) => parameterOf(parameter).name !== 'dryRun') ?? []
}

export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: operation.operationId!,
    summary: operation.summary!,
    route: `${method.toUpperCase()} ${path}`,
    // For an operation with a body, these parameters stay in the query string.
    query: operation.requestBody ? operation.parameters!.map(parameterOf).filter((one) => one.in === 'query') : [],
  })),
)

/** A parameter of an operation, which may refer to a shared one. */
function parameterOf(given: ParameterObject | ReferenceObject): ParameterObject {
  if (!('$ref' in given)) return given
  return components.parameters?.[given.$ref.slice('#/components/parameters/'.length)] as ParameterObject
}

/** Writes a file of the client. */
export const write = (path: string, content: string): void => writeFileSync(path, head + content)

/** Writes the method and path of each operation, which the client needs at run time. Uses no development packages. */
export function makeOperations(folder: string): void {
  const routes = operations.map(({ name, route, query }): [string, string] => [
    name,
    query.length > 0 ? `${route}?${query.map((one) => one.name).join('&')}` : route,
  ])
  write(`${folder}/operations.js`, `export const operations = ${JSON.stringify(Object.fromEntries(routes), null, 1)}\n`)
}
