import { expect, it } from 'vitest'
import { AppError } from './app-error.ts'
import { fewAtOnce } from './few-at-once.ts'

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const started = Promise.withResolvers<void>()
  return {
    work: () => {
      started.resolve()
      return promise
    },
    hasStarted: started.promise,
    finish: resolve,
    fail: reject,
  }
}

it('runs a fixed number at once, keeps a fixed number waiting in their order, and refuses the next', async () => {
  const run = fewAtOnce({ atOnce: 2, queueMax: 2 })
  const jobs = [held(), held(), held(), held()]
  const order: number[] = []
  const results = jobs.map((job, at) =>
    run(() => {
      order.push(at)
      return job.work()
    }),
  )
  expect(order).toEqual([0, 1])
  const refused = await run(async () => 'never').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(AppError)
  expect(refused).toMatchObject({ code: 'server.busy', status: 429 })

  jobs[1]?.finish('second')
  await jobs[2]?.hasStarted
  expect(order).toEqual([0, 1, 2])
  for (const job of jobs) job.finish('done')
  expect(await Promise.all(results)).toEqual(['done', 'second', 'done', 'done'])
})

it('gives the place of work that failed to the next', async () => {
  const run = fewAtOnce({ atOnce: 1, queueMax: 1 })
  const first = held()
  const failing = run(first.work)
  const second = run(async () => 'second')
  first.fail(new Error('broken'))
  await expect(failing).rejects.toThrow('broken')
  expect(await second).toBe('second')
  expect(await run(async () => 'third')).toBe('third')
})
