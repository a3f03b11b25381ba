import { writeFileSync } from 'node:fs'
import openapiTS, {
  astToString,
  type OpenAPI3,
  type OperationObject,
  type ParameterObject,
  type ReferenceObject,
  type ResponseObject,
} from 'openapi-typescript'
import { families } from '../../endpoints/index.ts'
import { openapi } from '../../serve/openapi.ts'
import { priceType } from '../../serve/price.ts'

const head = '/** Made from the OpenAPI document by `npm run client`. */\n'

const document = JSON.parse(JSON.stringify(openapi(families))) as OpenAPI3 & {
  paths: Record<string, Record<string, OperationObject>>
}
const { components = {} } = document

// Clients of that protocol speak it themselves.
delete document.paths['/mcp']
for (const name of ['RpcMessage', 'RpcAnswer']) delete components.schemas?.[name]

// The client knows no headers, and asks for answers, not for their price.
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

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: operation.operationId!,
    summary: operation.summary!,
    route: `${method.toUpperCase()} ${path}`,
    // Where there is a body, these are not in it.
    query: operation.requestBody ? operation.parameters!.map(parameterOf).filter((one) => one.in === 'query') : [],
  })),
)

/** A parameter of an operation, which may refer to a shared one. */
function parameterOf(given: ParameterObject | ReferenceObject): ParameterObject {
  if (!('$ref' in given)) return given
  return components.parameters?.[given.$ref.slice('#/components/parameters/'.length)] as ParameterObject
}

/** The operations with their summaries, for editors; without the paths, which repeat them. */
function ofOperations(types: string): string {
  const summaries = new Map(operations.map(({ name, summary, route }) => [name, `/** ${summary} \`${route}\` */`]))
  const [before, after] = types.split(/^(?=export interface operations \{)/m) as [string, string]
  return (
    before.replace(/^export interface paths \{[\s\S]*?^\}\n/m, '') +
    after.replace(/^ {4}(\w+): \{/gm, (line, name: string) => `    ${summaries.get(name)}\n${line}`)
  )
}

/** Makes what the client knows of the API: the types of its operations, and where each is sent. */
export async function makeContents(folder: string): Promise<void> {
  const write = (file: string, content: string) => writeFileSync(`${folder}/${file}`, head + content)

  // A field with a default may be left out.
  const types = await openapiTS(document, { defaultNonNullable: false })
  // The shared parameter itself has this comment, too.
  const repeated = /^ *\/\*\* @description .* \*\/\n(?=.*: components\["parameters"\])/gm
  write('openapi.d.ts', ofOperations(astToString(types).replace(repeated, '')))

  const routes = operations.map(({ name, route, query }): [string, string] => [
    name,
    query.length > 0 ? `${route}?${query.map((one) => one.name).join('&')}` : route,
  ])
  write('operations.js', `export const operations = ${JSON.stringify(Object.fromEntries(routes), null, 1)}\n`)
}
