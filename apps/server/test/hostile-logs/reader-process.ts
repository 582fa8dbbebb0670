import { setFlagsFromString } from 'node:v8'
import { createLogReader } from '../../src/features/logs/log-reader.ts'
import type { LogAnswer, LogQuery } from '../../src/features/logs/reading/answer-page.ts'

// Reads logs in a separate process, so that the memory it takes can be measured.

interface ProcessRequest {
  id: number
  query: LogQuery
}
export interface ProcessReply {
  id: number
  answer?: LogAnswer | undefined
  error?: string
  /** The most memory taken so far, beyond what the process took before it read. */
  peakMiB: number
}

// The limit of this process is none of its threads, which have those of the product.
setFlagsFromString('--max-semi-space-size=0')

const reader = createLogReader()
const takenMiB = () => process.resourceUsage().maxRSS / 1024
const takenBeforeMiB = takenMiB()
process.on('message', ({ id, query }: ProcessRequest) => {
  const reply = (more: Omit<ProcessReply, 'id' | 'peakMiB'>) =>
    process.send?.({ id, ...more, peakMiB: takenMiB() - takenBeforeMiB })
  reader.ask(query).then(
    (answer) => reply({ answer }),
    (error: unknown) => reply({ error: String(error) }),
  )
})
