import type { Exchange } from '../exchange/api-policy.ts'
import { refuse } from '../exchange/refuse.ts'
import type { Verdict } from '../exchange/verdict.ts'

/** A custom output without placeholders is the answer: nothing is called. */
export function answerFixedOutput(exchange: Exchange): Verdict {
  const output = exchange.endpoint?.output
  if (!output || output.kind === 'template') return 'next'
  if (output.kind === 'broken') {
    return refuse(exchange, 'config.custom_output', { detail: output.reason })
  }
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
