import type { Exchange } from '../exchange/exchange.ts'
import type { Verdict } from '../exchange/verdict.ts'
import type { Stage } from './stage.ts'

export const output: Stage = {
  name: 'output',
  run: answerFixedOutput,
  traceDetails: ({ endpoint }) => ({ output: endpoint?.output?.kind ?? 'none' }),
}

/** A custom output without placeholders is the answer: nothing is called. */
function answerFixedOutput(exchange: Exchange): Verdict {
  const output = exchange.endpoint?.output
  if (!output || output.kind === 'template') return 'next'
  if (output.kind === 'broken') {
    return exchange.refuse('config.custom_output', { detail: output.reason })
  }
  exchange.isMock = true
  exchange.answer(
    200,
    [
      'Content-Type',
      output.contentType,
      'X-Content-Type-Options',
      'nosniff',
      'X-Gateway-Mock',
      '1',
    ],
    output.body,
  )
  return 'stop'
}
