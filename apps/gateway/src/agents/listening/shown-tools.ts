import { hash } from 'node:crypto'
import type { AgentRequest } from '../../exchange/agent-request.ts'
import type { CompiledSnapshot } from '../../snapshot/compile-snapshot.ts'
import { isShown } from '../may-use.ts'

/** Tells apart what an agent finds: another one where a tool has come, gone or changed. */
export function shownMark({ parts }: CompiledSnapshot, agent: AgentRequest): string {
  const shown = parts.tools.sorted.filter((tool) => isShown(agent, tool))
  return hash('sha1', shown.map(({ mark }) => mark).join(), 'base64')
}
