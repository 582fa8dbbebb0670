import { stringifyExact } from '@gatehouse/contract/mapping'
import type { HeldCall } from '@gatehouse/contract/gateway'
import { askControl } from '../agents/ask-control.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import { procedureValues } from './procedure.ts'
import type { Stage } from './stage.ts'

export const release: Stage = {
  name: 'release',
  run: holdCall,
  traceDetails: () => ({}),
}

/** Has the control plane store the call of an agent that a person has to release: nothing is called. */
function holdCall(exchange: Exchange): Verdict {
  const { agent, endpoint } = exchange
  if (!endpoint || agent?.tool?.config.needs_release !== true) return 'next'
  const { reply, tool } = agent
  if (reply === 'none') return exchange.refuse('gateway.busy')
  if (reply !== null) {
    agent.outcome = reply.what === 'result' && reply.isWaiting ? 'waiting' : 'refused'
    // `answerWith` writes the reply.
    exchange.answer(202, [], '')
    return 'stop'
  }
  const held = heldCall(exchange, endpoint.config.id)
  if (held === undefined) return 'stop'
  const isAsked = askControl(exchange, agent, { tool: tool.name, message: '', held })
  return isAsked ? 'wait' : exchange.refuse('gateway.busy', { headers: ['Retry-After', '1'] })
}

/** The request as it would be sent. Undefined: it was refused. */
function heldCall(exchange: Exchange, endpoint_id: number): HeldCall | undefined {
  const { method, upstreamPath, query, sentTarget, passed, heldBody } = exchange
  const target = sentTarget ?? upstreamPath + query
  const call = { endpoint_id, method, target, headers: pairsOf(passed) }
  if (exchange.endpoint?.api.procedure) {
    const values = procedureValues(exchange, heldBody)
    return values && { ...call, body: stringifyExact(values) }
  }
  return { ...call, body: heldBody === null ? null : heldBody.toString('utf8') }
}

/** Without the trace: the ledger has the one of the run. */
function pairsOf(fields: readonly string[]): HeldCall['headers'] {
  const pairs: HeldCall['headers'] = []
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]]
    if (!/^trace(?:parent|state)$/i.test(name)) pairs.push([name, value])
  }
  return pairs
}
