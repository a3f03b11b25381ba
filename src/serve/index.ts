import { foreignOrigin } from '../access/origins.ts'
import { type Grant, permit } from '../access/permit.ts'
import { accessOf, type Endpoint, idNames, isWrite } from '../endpoints/endpoint.ts'
import { runAction } from './action.ts'
import { chargeCall } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { answerExport, exportFormat } from './export/index.ts'
import { type Caller, identify } from './identify.ts'
import { type Input, readInput, refuseExcess } from './input.ts'
import { answerLive, isListening } from './live.ts'
import { answerReport } from './report.ts'
import { respond } from './respond.ts'
import { resolveQuestion } from './saved-filters.ts'

/** The whole path of a request. Each step passes typed values on, or throws a refusal. */
export async function answer(endpoint: Endpoint, exchange: Exchange): Promise<Response> {
  refuseExcess(exchange.url)
  const caller = await identify(endpoint, exchange)
  const input = await readInput(endpoint, exchange)
  const grant = admit(endpoint, caller, input, exchange)
  const charge = () => chargeCall(endpoint, caller, exchange)
  return proceed({ endpoint, caller, input, grant, charge }, exchange)
}

/** The caller's grant; 403 if the caller has no right, or the origin is not allowed. */
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
  readonly grant: Grant
  /** Counts the request. It is called exactly when statements run. */
  readonly charge: () => Promise<void>
}

/** Answers a request that has passed all checks. */
export async function proceed(admitted: AdmittedRequest, exchange: Exchange): Promise<Response> {
  const { endpoint, caller, input, grant, charge } = admitted
  if (endpoint.kind === 'action') {
    exchange.member.decided()
    await charge()
    return respond(await runAction(endpoint, input, caller, grant, exchange), exchange)
  }
  if (isListening(endpoint, exchange)) return answerLive(caller, grant, exchange)
  const question = await resolveQuestion(endpoint, input, caller, grant, exchange)
  const format = exportFormat(endpoint, exchange)
  return format
    ? answerExport(question, format, charge, caller, exchange)
    : answerReport(question, charge, caller, exchange)
}
