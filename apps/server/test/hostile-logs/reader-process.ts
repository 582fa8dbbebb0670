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
  peakMiB: number
}

const reader = createLogReader()
process.on('message', ({ id, query }: ProcessRequest) => {
  const reply = (more: Omit<ProcessReply, 'id' | 'peakMiB'>) =>
    process.send?.({ id, ...more, peakMiB: process.resourceUsage().maxRSS / 1024 })
  reader.ask(query).then(
    (answer) => reply({ answer }),
    (error: unknown) => reply({ error: String(error) }),
  )
})
