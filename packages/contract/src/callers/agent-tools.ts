import { z } from 'zod'
import { integerIfGiven, text } from '../kernel/fields.ts'
import { toolNameMaxLength, toolNameProblem, type AgentOffer } from './tool-names.ts'

export * from './tool-names.ts'

/** Whether agents find an endpoint among their tools, once its API is offered to them (spec: agent-tools). */
export const agentOffers = ['as_api', 'offered', 'not_offered'] as const satisfies AgentOffer[]

/** Absent keeps what is stored, and is *as the API* on a new endpoint. */
export const agentOffer = z
  .union([z.string(), z.null()], { error: 'The offer to agents must be text.' })
  .optional()
  .transform((value) => (value === undefined ? undefined : (value ?? '') || agentOffers[0]))
  .refine((value) => value === undefined || (agentOffers as readonly string[]).includes(value), {
    error: `The offer to agents must be one of: ${agentOffers.join(', ')}.`,
  })
  .transform((value) => value as AgentOffer | undefined)

/** Absent or blank keeps what is stored: a name that was given once stays. */
export const toolName = text(toolNameMaxLength, 'tool name').superRefine((value, context) => {
  const problem = value === '' ? undefined : toolNameProblem(value)
  if (problem) context.addIssue({ code: 'custom', message: problem })
})

/** For how many hours a call of an agent waits for its release; null: none has to. Absent keeps what is stored. */
export const agentReleaseHours = integerIfGiven('hours until a release expires', 1, 720)

/** Absent keeps what is stored; blank is made of the summary and the description. */
export const toolDescription = z.union([
  z.undefined(),
  text(2000, 'tool description', { isMultiline: true }),
])
