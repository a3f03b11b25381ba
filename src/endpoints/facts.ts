import type { Section } from '../access/opening.ts'
import type { Access } from '../access/permit.ts'
import type { AnyAction, AnyReport, Endpoint } from './endpoint.ts'
import type { Example } from './examples.ts'

/** Facts about an endpoint that the steps of a request need. */

export const sectionsOf = ({ access, sectionsOf }: AnyReport, input: object): readonly Section[] =>
  sectionsOf?.(input as never) ?? access.sections

export const accessOf = (endpoint: Endpoint, input: object): Access =>
  endpoint.kind === 'report'
    ? {
        ...endpoint.access,
        sections: sectionsOf(endpoint, input),
        ...(endpoint.unfilteredOf && { unfiltered: endpoint.unfilteredOf(input as never) }),
      }
    : endpoint.access

type AskedByBody = Endpoint &
  Pick<AnyReport, 'aliasOf' | 'filtersBeside'> & { readonly example: Pick<Example, 'query'> }

/** Whether a request's body contains the website's id and the report's parameters. */
export const isAskedByBody = (endpoint: Endpoint): endpoint is AskedByBody =>
  endpoint.method === 'post' && (endpoint.kind === 'report' || endpoint.reads !== undefined)

/** Whether the endpoint changes metadata. A report only reads, even with POST. */
export const isWrite = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'action' && endpoint.method !== 'get' && !endpoint.reads

/** Whether each successful request is recorded in the audit log. */
export const isAudited = (action: AnyAction): boolean => isWrite(action) && !action.isUnaudited
