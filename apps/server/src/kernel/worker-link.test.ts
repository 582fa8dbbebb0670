import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WorkerLink } from './worker-link.ts'

const folder = mkdtempSync(join(tmpdir(), 'worker-link-'))
const file = pathToFileURL(join(folder, 'worker.ts'))
const link = new WorkerLink<string, string>(file, { name: 'test', timeoutMs: 2000, data: 'told' })

beforeAll(() => {
  const answerQuestions = new URL('answer-questions.ts', import.meta.url).href
  writeFileSync(
    file,
    `import { workerData } from 'node:worker_threads'
    import { answerQuestions } from '${answerQuestions}'
    answerQuestions((question) => {
      if (question === 'throw') throw new RangeError('asked for')
      if (question === 'exit') process.exit(3)
      while (question === 'hang');
      return workerData + ' ' + question
    })`,
  )
})

afterAll(async () => {
  await link.close()
  rmSync(folder, { recursive: true })
})

it('answers each question, whatever order they are waited for in', async () => {
  const answers = ['a', 'b', 'c'].map((question) => link.ask(question))
  expect(await Promise.all(answers.toReversed())).toEqual(['told c', 'told b', 'told a'])
})

it('throws what the thread threw and goes on', async () => {
  await expect(link.ask('throw')).rejects.toThrow(new RangeError('asked for'))
  expect(await link.ask('next')).toBe('told next')
})

it.each(['exit', 'hang'])(
  '%s: the questions of that moment fail, the next is answered',
  async (end) => {
    const [ended, behind] = await Promise.allSettled([link.ask(end), link.ask('behind')])
    expect([ended.status, behind.status]).toEqual(['rejected', 'rejected'])
    expect(await link.ask('next')).toBe('told next')
  },
)

it('does not keep the process alive', async () => {
  const program = `import { WorkerLink } from '${new URL('worker-link.ts', import.meta.url).href}'
    const link = new WorkerLink(new URL('${file.href}'), { name: 'test', timeoutMs: 60_000 })
    await link.ask('one')`
  const owner = join(folder, 'owner.ts')
  writeFileSync(owner, program)
  expect(await once(spawn(process.execPath, [owner]), 'exit')).toEqual([0, null])
})
