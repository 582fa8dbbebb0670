import type { Dispatcher } from 'undici'
import { describe, expect, it } from 'vitest'
import { HttpExchange } from './http-exchange.ts'

function recordAborts() {
  const reasons: Error[] = []
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    abort: (reason) => void reasons.push(reason),
    pause: () => {},
    resume: () => {},
  }
  return { controller, reasons }
}

const startExchange = () => new HttpExchange({ answerTimeoutMs: 20_000, maxAnswerBytes: 1024 })

describe('whatever the HTTP client beneath does', () => {
  it('a request that was written once is stopped before it is written again', async () => {
    const exchange = startExchange()
    const first = recordAborts()
    const second = recordAborts()
    exchange.onRequestStart(first.controller)
    exchange.onRequestStart(second.controller)
    expect(second.reasons).toHaveLength(1)
    expect(await exchange.answer).toMatchObject({ ok: false, code: 'cut', isSent: true })
  })

  it('an answer is decided once', async () => {
    const exchange = startExchange()
    const { controller } = recordAborts()
    exchange.onRequestStart(controller)
    exchange.onResponseError(controller, new Error('first'))
    exchange.onResponseError(controller, new Error('second'))
    exchange.onResponseStart(controller, 200)
    exchange.onResponseEnd()
    const answer = await exchange.answer
    expect(answer).toMatchObject({ ok: false, code: 'cut' })
    expect(!answer.ok && answer.detail).toMatch(/^first, /)
  })
})
