import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEngineLink } from './engine-link.ts'
import { createMappingEngine, answerCall, type EngineCall } from './mapping-engine.ts'

/** Stands in for the browser's Worker, which this test environment does not have. */
class TestWorker extends EventTarget {
  static started: TestWorker[] = []
  engine = createMappingEngine()
  asked: { id: number; call: EngineCall }[] = []
  isTerminated = false

  constructor() {
    super()
    TestWorker.started.push(this)
  }

  postMessage(message: { id: number; call: EngineCall }) {
    this.asked.push(message)
  }

  /** Answers what was asked, the newest first. */
  answerAll() {
    for (const { id, call } of this.asked.splice(0).toReversed()) {
      const data = { id, answer: answerCall(this.engine, call) }
      this.dispatchEvent(new MessageEvent('message', { data }))
    }
  }

  terminate() {
    this.isTerminated = true
  }
}

beforeEach(() => {
  TestWorker.started = []
  vi.stubGlobal('Worker', TestWorker)
})
afterEach(() => vi.unstubAllGlobals())

const started = () => {
  const worker = TestWorker.started.at(-1)
  if (!worker) throw new Error('No worker was started')
  return worker
}

test('each call gets its own answer, in whatever order they come', async () => {
  const engine = createEngineLink()
  engine.retain()
  const [good, bad] = [engine.check('{}'), engine.check('{')]
  started().answerAll()
  expect((await good).problem).toBeUndefined()
  expect((await bad).problem).toMatchObject({ line: 1 })
  expect(TestWorker.started).toHaveLength(1)
})

test('an error in the engine rejects the call', async () => {
  const engine = createEngineLink()
  const reading = engine.read('<html>', true)
  started().answerAll()
  await expect(reading).rejects.toThrow('not valid JSON')
})

test('a worker whose code cannot be loaded is replaced by the page, for calls that wait too', async () => {
  const engine = createEngineLink()
  const waiting = engine.check('{')
  started().dispatchEvent(new Event('error'))
  expect((await waiting).problem).toMatchObject({ line: 1 })
  expect((await engine.check('[]')).problem).toBeUndefined()
  expect(TestWorker.started).toHaveLength(1)
})

test('the worker ends when the screen is left, but not before what was asked is answered', async () => {
  const engine = createEngineLink()
  const release = engine.retain()
  const checking = engine.check('{}')
  release()
  expect(started().isTerminated).toBe(false)
  started().answerAll()
  await checking
  expect(started().isTerminated).toBe(true)
})

test('a screen that is opened again gets a new worker', async () => {
  const engine = createEngineLink()
  engine.retain()()
  expect(TestWorker.started).toHaveLength(0)
  engine.retain()
  const checking = engine.check('{}')
  started().answerAll()
  await checking
  expect(started().isTerminated).toBe(false)
})
