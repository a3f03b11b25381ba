import openapiTS, { astToString } from 'openapi-typescript'
import { document, operations, write } from './operations.ts'

/** The operations with their summaries, for editors. Leaves out the paths, which repeat the operations. */
function ofOperations(types: string): string {
  const summaries = new Map(operations.map(({ name, summary, route }) => [name, `/** ${summary} \`${route}\` */`]))
  const [before, after] = types.split(/^(?=export interface operations \{)/m) as [string, string]
  return (
    before.replace(/^export interface paths \{[\s\S]*?^\}\n/m, '') +
    after.replace(/^ {4}(\w+): \{/gm, (line, name: string) => `    ${summaries.get(name)}\n${line}`)
  )
}

/** Generates the client's types. */
export async function makeTypes(folder: string): Promise<void> {
  // A field with a default may be left out.
  const types = await openapiTS(document, { defaultNonNullable: false })
  // The shared parameter itself also has this comment.
  const repeated = /^ *\/\*\* @description .* \*\/\n(?=.*: components\["parameters"\])/gm
  write(`${folder}/openapi.d.ts`, ofOperations(astToString(types).replace(repeated, '')))
}
