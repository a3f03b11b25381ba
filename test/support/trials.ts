import type { IncomingMessage, RequestListener } from 'node:http'

const queryId = ({ url }: IncomingMessage): string => new URL(url!, 'http://double').searchParams.get('query_id') ?? ''

/** Whether a request to ClickHouse reads a replica's watermark. */
export const isReading = (request: IncomingMessage): boolean => queryId(request).startsWith('weir-watermark-')

/** Whether a request to ClickHouse is a ping. */
export const isPing = ({ url }: IncomingMessage): boolean => url === '/ping'

/** Whether a request to ClickHouse checks how healthy or fresh a replica is. */
export const isTrial = (request: IncomingMessage): boolean =>
  queryId(request).startsWith('weir-trial-') || isReading(request) || isPing(request)

/** A ClickHouse that fails in some way but answers trial requests, so that all other requests encounter the failure. */
export const passingTrials =
  (behave: RequestListener): RequestListener =>
  (request, response) =>
    isTrial(request) ? void response.end('{"data":[],"rows":0}') : behave(request, response)
