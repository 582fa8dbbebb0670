import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ThreadEnded } from './thread-ended.ts'
import { WorkerLink, type WorkerLinkOptions } from './worker-link.ts'

const folder = mkdtempSync(join(tmpdir(), 'worker-link-'))
const file = pathToFileURL(join(folder, 'worker.ts'))

interface Gates {
  /** 0: a thread waits at its start until this is set. */
  start: Int32Array
  /** Counts the threads that wait there. */
  atStart: Int32Array
  /** 0: the question `wait` waits until this is set. */
  work: Int32Array
}

const gate = (isOpen = true) => {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  cell[0] = isOpen ? 1 : 0
  return cell
}
const open = (cell: Int32Array) => {
  Atomics.store(cell, 0, 1)
  Atomics.notify(cell, 0)
}

beforeAll(() => {
  const answerQuestions = new URL('answer-questions.ts', import.meta.url).href
  writeFileSync(
    file,
    `import { threadId, workerData } from 'node:worker_threads'
    import { answerQuestions } from '${answerQuestions}'
    const { start, atStart, work } = workerData
    Atomics.add(atStart, 0, 1)
    Atomics.notify(atStart, 0)
    Atomics.wait(start, 0, 0)
    answerQuestions(async (question, callOwner) => {
      if (question === 'call') return [await callOwner('a'), await callOwner('b')]
      if (question === 'throw') throw new RangeError('asked for')
      if (question === 'exit') process.exit(3)
      if (question === 'wait') Atomics.wait(work, 0, 0)
      if (question === 'grow') for (const all = []; ; ) all.push({})
      if (question === 'large') return [threadId, Array.from({ length: 5e6 }, () => ({})).length]
      while (question === 'hang');
      return question === 'thread' ? threadId : 'answered ' + question
    })`,
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

function linkOf({
  gates = {},
  ...options
}: Partial<WorkerLinkOptions> & { gates?: Partial<Gates> } = {}) {
  const data: Gates = { start: gate(), atStart: gate(false), work: gate(), ...gates }
  const link = new WorkerLink<string, unknown>(file, {
    name: 'test',
    timeoutMs: 200,
    isComputing: true,
    queueMax: 100,
    data,
    ...options,
  })
  onTestFinished(() => link.close())
  return link
}

const reasonOf = async (answer: Promise<unknown>) => {
  const error: unknown = await answer.catch((thrown: unknown) => thrown)
  return error instanceof ThreadEnded ? error.reason : error
}
const passed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

it('answers each question, whatever order they are waited for in', async () => {
  const link = linkOf()
  const answers = ['a', 'b', 'c'].map((question) => link.ask(question))
  const expected = ['answered c', 'answered b', 'answered a']
  expect(await Promise.all(answers.toReversed())).toEqual(expected)
})

it('throws what the thread threw and goes on', async () => {
  const link = linkOf()
  await expect(link.ask('throw')).rejects.toThrow(new RangeError('asked for'))
  expect(await link.ask('next')).toBe('answered next')
})

it('keeps a thread that has grown only while questions wait', async () => {
  const link = linkOf({ heapMaxMb: 512, timeoutMs: 60_000 })
  const [large, waiting] = await Promise.all([link.ask('large'), link.ask('thread')])
  expect(large).toEqual([waiting, 5e6])
  const after = await link.ask('thread')
  expect(after).not.toBe(waiting)
  expect(await link.ask('thread')).toBe(after)
})

describe('a question that ends its thread', () => {
  it.each([
    ['exit', 'died'],
    ['hang', 'time'],
    ['grow', 'memory'],
  ])('%s fails alone: those that wait behind it are answered', async (end, reason) => {
    const link = linkOf({ heapMaxMb: 32 })
    await link.ask('before')
    // Memory takes its time on a busy machine.
    const patient = end === 'grow' ? linkOf({ heapMaxMb: 32, timeoutMs: 60_000 }) : link
    const [ended, ...behind] = [end, 'b', 'c'].map((question) => patient.ask(question))
    expect(await reasonOf(ended!)).toBe(reason)
    expect(await Promise.all(behind)).toEqual(['answered b', 'answered c'])
  })

  it('leaves no other question to the thread that ends', async () => {
    const link = linkOf()
    const thread = await link.ask('thread')
    expect(await reasonOf(link.ask('hang'))).toBe('time')
    // Asked at once, while the thread still ends.
    expect(await link.ask('thread')).not.toBe(thread)
  })
})

describe('time counts from when the thread begins', () => {
  it('not while the thread starts', async () => {
    const gates = { start: gate(false), atStart: gate(false) }
    const link = linkOf({ gates })
    const answer = link.ask('first')
    await Atomics.waitAsync(gates.atStart, 0, 0).value
    await passed(500)
    open(gates.start)
    expect(await answer).toBe('answered first')
    expect(gates.atStart[0]).toBe(1)
  })

  it('not while others are answered', async () => {
    const gates = { work: gate(false) }
    const link = linkOf({ gates, timeoutMs: 500 })
    const answers = ['wait', 'behind'].map((question) => link.ask(question))
    await passed(1200)
    open(gates.work)
    expect(await Promise.all(answers)).toEqual(['answered wait', 'answered behind'])
  })

  it('by the clock, where the work may wait', async () => {
    const link = linkOf({ gates: { work: gate(false) }, isComputing: false })
    expect(await reasonOf(link.ask('wait'))).toBe('time')
  })

  it('of work that only computes its CPU time counts, and at last the clock', async () => {
    const link = linkOf({ gates: { work: gate(false) }, timeoutMs: 100 })
    const from = performance.now()
    expect(await reasonOf(link.ask('wait'))).toBe('time')
    expect(performance.now() - from).toBeGreaterThan(900)
  })

  it('a thread that does not start in time fails those that wait for it, and the next is asked', async () => {
    const gates = { start: gate(false) }
    const link = linkOf({ gates, startTimeoutMs: 300 })
    const reasons = ['a', 'b'].map((question) => reasonOf(link.ask(question)))
    expect(await Promise.all(reasons)).toEqual(['start', 'start'])
    open(gates.start)
    const patient = linkOf({ gates })
    expect(await patient.ask('next')).toBe('answered next')
  })
})

describe('a thread that asks its owner to do something', () => {
  it('goes on with what became of it, and its time does not count meanwhile', async () => {
    const link = linkOf({ isComputing: false, timeoutMs: 300 })
    await link.ask('before')
    const slowly = async (what: string) => (await passed(500), `done ${what}`)
    expect(await link.ask('call', slowly)).toEqual(['done a', 'done b'])
  })

  it('throws what the owner threw', async () => {
    const fail = () => Promise.reject(new RangeError('not done'))
    await expect(linkOf().ask('call', fail)).rejects.toThrow(new RangeError('not done'))
  })
})

it('a thread stays for the next questions, until it is idle', async () => {
  const link = linkOf({ idleMs: 300 })
  const [first, second] = [await link.ask('thread'), await link.ask('thread')]
  expect(second).toBe(first)
  await expect.poll(async () => (await passed(400), link.ask('thread'))).not.toBe(first)
})

it('refuses further questions while too many wait', async () => {
  const gates = { work: gate(false) }
  const link = linkOf({ gates, queueMax: 2, timeoutMs: 60_000 })
  const taken = ['wait', 'b', 'c'].map((question) => link.ask(question))
  await expect(link.ask('d')).rejects.toMatchObject({ code: 'server.busy' })
  open(gates.work)
  expect(await Promise.all(taken)).toHaveLength(3)
  expect(await link.ask('d')).toBe('answered d')
})

it('fails what is open when it is closed, and what comes later', async () => {
  const link = linkOf()
  const reasons = ['hang', 'behind'].map((question) => reasonOf(link.ask(question)))
  await link.close()
  expect(await Promise.all([...reasons, reasonOf(link.ask('later'))])).toEqual([
    'closed',
    'closed',
    'closed',
  ])
})

it('keeps the process alive while a question is open, and no longer', async () => {
  const program = `import { WorkerLink } from '${new URL('worker-link.ts', import.meta.url).href}'
    const cell = (value) => new Int32Array(new SharedArrayBuffer(4)).fill(value)
    const data = { start: cell(1), atStart: cell(0), work: cell(1) }
    const options = { name: 'test', timeoutMs: 60_000, queueMax: 1, data }
    const link = new WorkerLink(new URL('${file.href}'), options)
    process.exitCode = 1
    void link.ask('one').then(() => { process.exitCode = 0 })`
  const owner = join(folder, 'owner.ts')
  writeFileSync(owner, program)
  expect(await once(spawn(process.execPath, [owner], { stdio: 'inherit' }), 'exit')).toEqual([
    0,
    null,
  ])
})
