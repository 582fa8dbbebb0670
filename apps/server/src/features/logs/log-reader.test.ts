import { afterAll, expect, it } from 'vitest'
import { createLogFolder } from '../../../test/places/log-folder.ts'
import { createLogReader } from './log-reader.ts'

const folder = createLogFolder()
const reader = createLogReader()
afterAll(async () => {
  await reader.close()
  folder.remove()
})

const query = (id: string) => ({
  source: { path: folder.path(id), root: folder.path('.') },
  page: 1,
  perPage: 30,
  levels: [],
  search: '',
})

it('a file that is gone is no failure', async () => {
  expect(await reader.ask(query('gone.log'))).toBeUndefined()
})

it('many ask at once, and each gets its own answer', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.log`)
  for (const name of names) folder.write(name, `of ${name}\n`)
  const answers = await Promise.all(names.map((name) => reader.ask(query(name))))
  expect(answers.map((answer) => answer?.rows[0]?.text)).toEqual(names.map((name) => `of ${name}`))
})
