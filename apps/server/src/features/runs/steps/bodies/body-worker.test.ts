import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Imports a file and prints the addresses of all modules that came with it. */
const script = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  await import(process.argv[1])
  console.log(JSON.stringify(loaded))`

it('the thread for large bodies loads neither Zod nor anything that calls upstreams', async () => {
  const file = new URL('body-worker.ts', import.meta.url).href
  const args = ['--input-type=module', '--eval', script, file]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const loaded = JSON.parse(stdout) as string[]
  expect(loaded).toContain(file)
  expect(loaded.some((url) => url.includes('/contract/src/mapping/'))).toBe(true)
  // Each costs hundreds of milliseconds, which the first large body after a pause would wait for.
  const heavy = /node_modules\/(?:zod|undici|jose|mysql2|tedious)\/|contract\/src\/index\.ts/
  expect(loaded.filter((url) => heavy.test(url))).toEqual([])
})
