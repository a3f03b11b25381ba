import { foreignOrigin } from '../access/origins.ts'
import { type Grant, permit } from '../access/permit.ts'
import { visitorTimeout } from '../clickhouse/server.ts'
import { type Endpoint, idNames } from '../endpoints/endpoint.ts'
import { accessOf, isAudited, isWrite } from '../endpoints/facts.ts'
import { pastDeadline } from '../errors.ts'
import { patternsOf } from '../request/patterns.ts'
import type { Terms } from '../request/terms.ts'
import { withTimeout } from '../silence.ts'
import { runAction } from './action.ts'
import { recordChange } from './audit.ts'
import { chargeCall } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { answerExport, exportFormat } from './export/index.ts'
import { type Caller, identify } from './identify.ts'
import { type Input, readInput, refuseExcess } from './input.ts'
import { answerLive, isListening } from './live.ts'
import { refuseOutage } from './outage.ts'
import { answerPrice, closedPrice } from './price.ts'
import { publicAnswer, purgePublic } from './public-address.ts'
import { type Question, resolveQuestion } from './question.ts'
import { answerReport, timeLeft } from './report.ts'
import { respond } from './respond.ts'

/** Handles a request step by step. Each step either returns typed values for the next one or throws a refusal. */
export async function answer(endpoint: Endpoint, exchange: Exchange): Promise<Response> {
  refuseExcess(exchange.url)
  const caller = await identify(endpoint, exchange)
  const { input, terms, returned } = await readInput(endpoint, exchange)
  setDeadline(terms, exchange)
  const grant = admit(endpoint, caller, input, exchange)
  exchange.publicAnswer = publicAnswer(endpoint, caller, grant, exchange)
  const charge = () => chargeCall(endpoint, caller.holder, exchange)
  return proceed({ endpoint, caller, input, returned, terms, grant, charge }, exchange)
}

/** Returns the caller's grant. Throws a 403 if the caller has no right or the origin is not allowed. */
function admit(endpoint: Endpoint, caller: Caller, input: Input, { now }: Exchange): Grant {
  const ids = Object.fromEntries(idNames(endpoint).map((name) => [name, String(input[name])]))
  const grant = permit(accessOf(endpoint, input), { ...caller, ids, now, changes: isWrite(endpoint) })
  if (!caller.isAdmitted) throw foreignOrigin()
  return grant
}

/** A request that has passed all checks. */
interface AdmittedRequest {
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly input: Input
  /** Fields of the body, by name, that must equal those of the record. */
  readonly returned: Readonly<Record<string, unknown>>
  readonly terms: Terms
  readonly grant: Grant
  /** Counts the request towards its limits. Called if and only if the request runs statements. */
  readonly charge: () => Promise<void>
}

/** Answers a request that has passed all checks. */
async function proceed(admitted: AdmittedRequest, exchange: Exchange): Promise<Response> {
  const { endpoint, caller, input, returned, terms, grant, charge } = admitted
  if (endpoint.kind === 'action') {
    refuseOutage(caller)
    await charge()
    const done = await runAction(endpoint, input, returned, caller, grant, exchange)
    if (isWrite(endpoint)) purgePublic(endpoint, input, exchange)
    if (isAudited(endpoint)) await recordChange(endpoint, input, 'body' in done && done.body, caller.holder, exchange)
    return respond(done, exchange)
  }
  if (!terms.dryRun && isListening(endpoint, exchange)) {
    refuseOutage(caller)
    return answerLive(caller, grant, exchange)
  }
  const question = await inTime(resolveQuestion(endpoint, input, caller, grant, exchange), exchange)
  // Isolates remember a saved filter for ten seconds from when they read it, no matter when they read the share.
  if (question.usesSaved) exchange.publicAnswer = undefined
  if (closedPrice(question) !== undefined) exchange.spent.isHidden = true
  const format = exportFormat(endpoint, exchange)
  if (grant.kind === 'opening') limitVisit(question, format !== undefined, exchange)
  if (terms.dryRun || format) refuseOutage(caller)
  if (terms.dryRun) return answerPrice(question, format, charge, exchange)
  return format
    ? answerExport(question, format, charge, caller, exchange)
    : answerReport(question, charge, caller, exchange)
}

function setDeadline({ deadline }: Terms, exchange: Exchange): void {
  if (deadline === undefined) return
  exchange.deadline = Math.min(deadline, exchange.deadline ?? deadline)
  exchange.until = Math.min(exchange.until, exchange.now + deadline)
}

/**
 * Reduces the time limit of a request through a share or a public website. Exports are exempt unless they have pattern
 * filters.
 */
function limitVisit({ input }: Question, isExport: boolean, exchange: Exchange): void {
  if (isExport && patternsOf(input.filters).length === 0) return
  const time = visitorTimeout(exchange.env) * 1000
  exchange.deadline = Math.min(time, exchange.deadline ?? time)
  exchange.until = Math.min(exchange.until, exchange.since + time)
}

/** Waits for work, but only until the request's deadline. */
const inTime = <Value>(work: Promise<Value>, exchange: Exchange): Promise<Value> =>
  withTimeout(timeLeft(exchange), work, () => pastDeadline(new Error('D1 did not answer in time.')))
