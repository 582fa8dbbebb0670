import { statusTool, type AgentQuestion, type AgentReply } from '@gatehouse/contract/gateway'

/**
 * What agents learn at a gateway that runs alone, which reaches the control plane for its configuration only: it has
 * no workflows, and can't have a call stored until a person releases it.
 */
export function answerAlone({ tool, held }: AgentQuestion): AgentReply {
  if (held) return refusal(heldWords)
  if (tool === null) return { what: 'tools', tools: [] }
  return tool === statusTool ? refusal(statusWords) : { what: 'unknown' }
}

const heldWords =
  'Nothing was called: a person has to release each call of this tool, and this gateway runs alone, where none can wait for that. Call it at the gateway of the control plane.'
const statusWords =
  'This gateway runs alone and knows no runs. Ask at the gateway where the run was started.'

const refusal = (text: string): AgentReply => ({
  what: 'result',
  texts: [text],
  structured: null,
  isError: true,
})
