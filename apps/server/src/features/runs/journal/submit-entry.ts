import { runKinds } from '@gatehouse/contract'
import { z } from 'zod'

/** A line of the journal of submits: what was about to be sent, with what a later look needs to ask about it. */
const submitEntry = z.object({
  at: z.string(),
  register: z.string(),
  /** Of the documents. */
  kind: z.enum(['tax', 'credit']),
  test: z.boolean(),
  references: z.array(z.string()),
  run: z.number().int(),
  run_kind: z.enum(runKinds),
  step: z.number().int(),
  endpoint: z.number().int(),
  attempt: z.number().int(),
  /** That of the step, which no other has. */
  uuid: z.string(),
  /** Of the bytes of the body. */
  sha256: z.string(),
})
export type SubmitEntry = z.output<typeof submitEntry>

/** Undefined for a line that was cut, or is of something else. */
export function readEntry(line: string): SubmitEntry | undefined {
  try {
    return submitEntry.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
